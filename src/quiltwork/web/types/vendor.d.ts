// What the page uses of the vendored libraries, for `tsc` alone; the browser never loads this.
export function h(type: unknown, props: unknown, ...children: unknown[]): unknown;
export function render(element: unknown, parent: Element): void;
export function useEffect(effect: () => void | (() => void), inputs?: readonly unknown[]): void;
export function useLayoutEffect(effect: () => void | (() => void), inputs?: readonly unknown[]): void;
export function useRef<T>(initial: T): { current: T };
export function useState<T>(initial: T): [T, (next: T | ((old: T) => T)) => void];
export interface Signal<T> {
  value: T;
  peek(): T;
}
export interface ReadonlySignal<T> {
  readonly value: T;
  peek(): T;
}
export function signal<T>(initial: T): Signal<T>;
export function computed<T>(compute: () => T): ReadonlySignal<T>;
export function effect(run: () => void): () => void;
declare const htm: { bind<T>(h: T): (strings: TemplateStringsArray, ...values: unknown[]) => any };
export default htm;
