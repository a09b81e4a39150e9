// @ts-check
/** Whose quilt is near: yours, or on a shared device the one who moves. */
import { view, wide } from "./store.js";

export function nearPlayer() {
  const now = view.value;
  if (now.you.length === 1) return now.you[0];
  if (now.you.length === 2 && !wide.value) return now.turn ?? 1;
  return 1;
}
