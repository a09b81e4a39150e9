// @ts-check
import { h } from "preact";
import htm from "htm";

/** Preact elements as tagged templates. */
export const html = htm.bind(h);
