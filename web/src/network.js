// What all drawings of Cytoscape share.
import {resolved} from "./palette.js";

export const nodeLooks = () => ({
  color: resolved("var(--ink)"),
  "font-size": 12,
  "font-family": "system-ui, sans-serif",
  "text-wrap": "wrap",
  "line-height": 1.25,
  "text-valign": "center",
  "text-outline-width": 2,
  "text-outline-color": resolved("var(--surface)"),
  "border-width": 2,
  "border-color": resolved("var(--surface)"),
});

export const edgeLooks = () => ({
  "line-color": resolved("var(--muted)"),
  "target-arrow-color": resolved("var(--muted)"),
});
