// @ts-check
/** The size of an element's box, for what is drawn to fit it. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/**
 * A reference for an element, and the size of its box, which follows every change.
 * @param {{width: number, height: number}} first the size before it was measured
 */
export function useBox(first) {
  const ref = useRef(/** @type {Element | null} */ (null));
  const [size, setSize] = useState(first);
  useLayoutEffect(() => {
    const element = /** @type {Element} */ (ref.current);
    if (!element) return;
    const measure = () => {
      const box = element.getBoundingClientRect();
      const [width, height] = [Math.round(box.width), Math.round(box.height)];
      if (width && height) setSize((old) => (old.width === width && old.height === height ? old : { width, height }));
    };
    measure();
    const watcher = new ResizeObserver(measure);
    watcher.observe(element);
    return () => watcher.disconnect();
  }, []);
  return { ref, size };
}
