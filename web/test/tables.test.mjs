// Tables of dshn reproduce in a real browser.
import assert from "node:assert/strict";
import {writeFileSync} from "node:fs";
import {test} from "node:test";
import {at, dshn, prepare, tableBehind, ticks, visit} from "./setup.mjs";

const cell = (data, model, test, paper, more = {}) => ({
  data,
  model,
  row: model.toUpperCase(),
  column: data,
  paper,
  ...(test ? {test} : {}), // a cell that was not made has no key for its figure
  ...more,
});
/** The figures of splits, from which the program works out mean, interval and difference. */
const splits = (...values) => ({
  splits: values.map((test, split) => ({seed: 0, split, test, validation: test})),
  items: {train: 100, val: 50, test: 50},
});

prepare(() => {
  const table = {
    table: "real-world",
    title: "Accuracy",
    cells: [
      cell("texas", "dshn", null, {mean: 60, std: 2}, splits(97, 99, 100, 99, 98)),
      cell("texas", "hgnn", {mean: 60, std: 1.5, n: 10}, "out of memory"),
      cell("cora", "dshn", null, {mean: 88, std: 1}),
    ],
    comparisons: {
      rows: [
        {
          data: "texas",
          column: "texas",
          title: "DSHN - HGNN",
          mean: 38,
          interval: [30, 46],
          p: 0.0001,
          p_holm: 0.0002,
          word: "above",
        },
        {
          data: "texas",
          column: "texas",
          title: "DSHN - HNHN",
          mean: 1,
          interval: [-3, 5],
          p: 0.4,
          p_holm: 0.8,
          word: "not distinguishable",
        },
      ],
    },
  };
  const cost = {
    title: "Cost",
    columns: [
      {key: "data", title: "data", text: true},
      {key: "ms", title: "step, ms", decimals: 1},
    ],
    rows: [{data: "texas", ms: 12.25}, {data: "cora"}],
  };
  writeFileSync(at("table.json"), JSON.stringify(table));
  writeFileSync(at("cost.json"), JSON.stringify(cost));
  dshn("report", "--results", at("table.json"), at("cost.json"), "--out", at("report.html"));
});

const figure = (title) => `#results figure:has(h3:text-is("${title}"))`;
const label = (page, title) => page.locator(`${figure(title)} svg[role=img]`).getAttribute("aria-label");

test("means have their intervals, and no axis goes past 100 per cent", async () => {
  await visit({}, async (page) => {
    const title = "Accuracy: texas beside the paper's";
    await page.waitForSelector(`${figure(title)} svg`);
    // 98.6 ± 2.776 · 1.140 · √(1/5 + 50/100): Student's t of 4, and the splits' overlap.
    assert.match(
      await label(page, title),
      /DSHN: 98.60 ± 1.14 \[95.95, 101.25\], paper 60.00 ± 2.00; HGNN: 60.00 ± 1.50, paper out of memory/,
    );
    assert.match(await page.textContent(`${figure(title)} figcaption`), /95 % interval/);
    const found = await ticks(page, figure(title), "x");
    assert.ok(Math.max(...found) <= 100, String(found));
    // The whisker is drawn as far as a percentage goes.
    const right = await page.locator(`${figure(title)} g[aria-label=rule] line`).evaluateAll((lines) => {
      const frame = lines[0].closest("svg").getBoundingClientRect();
      return Math.max(...lines.map((line) => line.getBoundingClientRect().right)) - frame.right;
    });
    assert.ok(right <= -20, String(right));
  });
});

test("the difference to the paper has its word", async () => {
  await visit({}, async (page) => {
    const title = "Accuracy: texas, difference to the paper";
    await page.waitForSelector(`${figure(title)} svg`);
    assert.match(await label(page, title), /DSHN: \+38.60 \[\d\d.\d\d, \d\d.\d\d\], above/);
    const [row] = await tableBehind(page, figure(title));
    assert.equal(row.at(-1), "above");
  });
});

test("comparisons have intervals, p values and words", async () => {
  await visit({}, async (page) => {
    const title = "Accuracy: texas, compared on the same splits";
    await page.waitForSelector(`${figure(title)} svg`);
    assert.match(
      await label(page, title),
      /DSHN - HGNN: \+38.00 \[30.00, 46.00\], above; DSHN - HNHN: \+1.00/,
    );
    assert.deepEqual(await tableBehind(page, figure(title)), [
      ["DSHN - HGNN", "+38.00", "[30.00, 46.00]", "< 0.001", "< 0.001", "above"],
      ["DSHN - HNHN", "+1.00", "[-3.00, 5.00]", "0.400", "0.800", "not distinguishable"],
    ]);
  });
});

test("a set without figures of ours shows the paper's, and listings are tables", async () => {
  await visit({}, async (page) => {
    await page.selectOption("#results select", "cora");
    await page.waitForFunction(() => /cora/.test(document.querySelector("#results figcaption").textContent));
    assert.match(await label(page, "Accuracy: cora beside the paper's"), /DSHN: –, paper 88.00 ± 1.00/);
    assert.equal(await page.locator("#leaderboard, #curves").count(), 0);
    const cost = page.locator("#results .card:has(h3:text-is('Cost'))");
    assert.deepEqual(await cost.locator("td").allTextContents(), ["texas", "12.3", "cora", "–"]);
  });
});
