// @ts-check
/** What a report of a fault must hold: version, position, screen and browser. */
import { animation, dress, language, scheme } from "./prefs.js";
import { about, tell, view } from "./store.js";
import { t } from "./words.js";

export async function copyReport() {
  const now = view.peek();
  const lines = {
    version: about.peek().version,
    game: `${now.game} v${now.version}, ${now.moves.length} moves, deal ${now.deal ?? "-"}`,
    position: now.position,
    screen: `${innerWidth}x${innerHeight} of ${screen.width}x${screen.height}, ratio ${devicePixelRatio}`,
    settings: `${language.peek()}, ${scheme.peek()}, ${dress.peek()}, ${animation.peek()}`,
    browser: navigator.userAgent,
    time: new Date().toISOString(),
  };
  const text = Object.entries(lines)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
  try {
    await navigator.clipboard.writeText(text);
    tell(t("report.copied"));
  } catch {
    prompt(t("report.copy_yourself"), text);
  }
}
