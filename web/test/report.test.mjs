// The page in a real browser. Run by tests/report/browser, which says where everything is:
// DSHN (the program), DSHN_WEB (the folder with node_modules).
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {after, before, test} from "node:test";
import {launch, openFile} from "./browser.mjs";

const folder = mkdtempSync(join(tmpdir(), "dshn-report-"));
const at = (name) => join(folder, name);
const dshn = (...words) =>
  execFileSync(process.env.DSHN, words, {encoding: "utf8", stdio: ["ignore", "pipe", "pipe"]});
let browser;

function train(name, data, ...set) {
  dshn(
    "train",
    "--data",
    data,
    "--device",
    "cpu",
    "--out",
    at(name),
    "--quiet",
    ...set.flatMap((word) => (word.startsWith("--") ? word.split(" ") : ["--set", word])),
  );
}

before(async () => {
  const small = ["--splits 2", "d=2", "hidden_width=8", "epochs=12"];
  train("q00", "synthetic-generated-io10", ...small, "layers=1", "q=0");
  train("q25", "synthetic-generated-io10", ...small, "layers=1", "q=0.25");
  train("deep", "synthetic-generated-io10", ...small, "layers=2", "q=0.25");
  dshn("report", at("q25"), at("q00"), at("deep"), "--out", at("report.html"), "--title", "A <b>title</b>");
  browser = await launch(process.env.DSHN_WEB);
});

after(async () => {
  await browser?.close();
  rmSync(folder, {recursive: true, force: true});
});

/** Opens the report, runs the body, and expects neither console errors nor requests. */
async function visit(options, body) {
  const {page, complaints, close} = await openFile(browser, at(options.file ?? "report.html"), options);
  await body(page);
  assert.deepEqual(complaints, []);
  await close();
}

const rows = (page) => page.locator("#leaderboard tbody tr").count();

test("every section has its chart, words for it and a table behind it", async () => {
  await visit({}, async (page) => {
    assert.equal(await page.title(), "A <b>title</b>");
    assert.equal(await page.locator("h1").textContent(), "A <b>title</b>");
    for (const [id, charts] of [
      ["results", 1],
      ["sweeps", 2],
      ["curves", 2],
      ["classes", 2],
      ["representations", 1],
      ["spectrum", 1],
    ]) {
      await page.waitForSelector(`#${id} figure svg`);
      assert.equal(await page.locator(`#${id} figure svg[role=img]`).count(), charts, id);
      for (const svg of await page.locator(`#${id} figure svg[role=img]`).all()) {
        assert.ok((await svg.getAttribute("aria-label")).length > 20, `${id}: no words for the chart`);
        assert.ok((await svg.locator("path, rect, circle, line").count()) > 5, `${id}: an empty chart`);
      }
      const summary = page.locator(`#${id} figure details summary`).first();
      await summary.click();
      await page.locator(`#${id} figure details td`).nth(3).waitFor();
    }
  });
});

test("hovering shows the item", async () => {
  await visit({}, async (page) => {
    const chart = page.locator("#representations figure svg[role=img]");
    await chart.scrollIntoViewIfNeeded();
    const box = await chart.locator("circle, path[transform]").nth(40).boundingBox();
    await page.mouse.move(box.x + box.width / 2 + 1, box.y + box.height / 2 + 1);
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    const tip = chart.locator("g[aria-label=tip] text");
    await tip.first().waitFor();
    assert.match(await tip.first().textContent(), /node \d+.*true class \d.*predicted \d/s);
  });
});

test("the leaderboard is sorted and filtered", async () => {
  await visit({}, async (page) => {
    assert.equal(await rows(page), 3);
    await page.fill("#leaderboard input", "q=0.25");
    assert.equal(await rows(page), 2);
    await page.fill("#leaderboard input", "layers=2 q=0.25");
    assert.equal(await rows(page), 1);
    await page.fill("#leaderboard input", "no such run");
    assert.equal(await rows(page), 0);
    await page.fill("#leaderboard input", "");
    await page.click("#leaderboard th button:text-is('Run')");
    const names = await page.locator("#leaderboard tbody td:first-child").allTextContents();
    assert.deepEqual(names, ["deep", "q00", "q25"]);
    assert.equal(await page.locator("#leaderboard th").first().getAttribute("aria-sort"), "ascending");
  });
});

test("choosing a run and a split changes what is shown", async () => {
  await visit({}, async (page) => {
    assert.match(await page.textContent("#run-title"), /^q25/);
    await page.click("#leaderboard button.link:text-is('deep')");
    assert.match(await page.textContent("#run-title"), /^deep/);
    const label = () => page.locator("#curves figure svg[role=img]").first().getAttribute("aria-label");
    await page.waitForSelector("#curves figure svg");
    const one = await label();
    await page.selectOption("#curves select", "all");
    await page.waitForFunction(
      (old) => document.querySelector("#curves figure svg[role=img]")?.getAttribute("aria-label") !== old,
      one,
    );
    assert.match(await label(), /2 splits/);
  });
});

test("one hyperedge can be found, stepped from and read", async () => {
  await visit({}, async (page) => {
    const heading = page.locator("#hypergraph h3");
    await page.waitForSelector("#hypergraph canvas");
    await page.fill("#hypergraph input", "17");
    await page.keyboard.press("Enter");
    assert.equal(await heading.textContent(), "Hyperedge 17");
    const members = await page.locator("#hypergraph tbody").textContent();
    await page.click("#hypergraph button:text-is('Next')");
    assert.equal(await heading.textContent(), "Hyperedge 18");
    assert.notEqual(await page.locator("#hypergraph tbody").textContent(), members);
    await page.click("#hypergraph button:text-is('Previous')");
    assert.equal(await heading.textContent(), "Hyperedge 17");
    assert.match(await page.locator("#hypergraph tbody").textContent(), /correct|wrong/);
    await page.fill("#hypergraph input", "nothing is called that");
    await page.click("#hypergraph button:text-is('Find')");
    assert.match(await page.textContent("#hypergraph [role=status]"), /No hyperedge/);
    assert.equal(await heading.textContent(), "Hyperedge 17");
  });
});

const background = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

test("light and dark, by preference and by the button", async () => {
  let light;
  await visit({colorScheme: "light"}, async (page) => {
    light = await background(page);
    await page.click("button.theme");
    assert.notEqual(await background(page), light);
    await page.click("button.theme");
    assert.equal(await background(page), light);
  });
  await visit({colorScheme: "dark"}, async (page) => assert.notEqual(await background(page), light));
});

test("nothing sticks out on a phone", async () => {
  await visit({viewport: {width: 390, height: 844}, isMobile: true, hasTouch: true}, async (page) => {
    await page.waitForSelector("#spectrum figure svg");
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  });
});

test("the keyboard reaches everything", async () => {
  await visit({}, async (page) => {
    const reached = new Set();
    for (let i = 0; i < 80; ++i) {
      await page.keyboard.press("Tab");
      reached.add(
        await page.evaluate(() => {
          const element = document.activeElement;
          return element.closest("section")?.id ?? element.className ?? element.tagName;
        }),
      );
    }
    for (const id of [
      "leaderboard",
      "results",
      "sweeps",
      "curves",
      "classes",
      "representations",
      "spectrum",
      "hypergraph",
      "theme",
    ])
      assert.ok(reached.has(id), id);
  });
});

test("tables of results need no run", async () => {
  const cell = (data, model, mean, paper) => ({data, model, test: mean && {mean, std: 1.5}, paper});
  writeFileSync(
    at("table.json"),
    JSON.stringify({
      table: "real-world",
      cells: [
        cell("texas", "dshn", 81.4, {mean: 83.8, std: 5}),
        cell("texas", "hgnn", 60, "out of memory"),
        cell("cora", "dshn", null, {mean: 88, std: 1}),
      ],
    }),
  );
  dshn("report", "--results", at("table.json"), "--out", at("table.html"));
  await visit({file: "table.html"}, async (page) => {
    assert.match(
      await page.locator("#results svg[role=img]").getAttribute("aria-label"),
      /DSHN: 81.40 ± 1.50, paper 83.80 ± 5.00; HGNN: 60.00 ± 1.50, paper out of memory/,
    );
    await page.selectOption("#results select", "cora");
    await page.waitForFunction(() => /cora/.test(document.querySelector("#results figcaption").textContent));
    assert.equal(await page.locator("#leaderboard, #curves").count(), 0);
  });
});

test("what cannot be shown is said", async () => {
  dshn("report", at("q25"), "--details", "0", "--out", at("bare.html"));
  await visit({file: "bare.html"}, async (page) => {
    for (const id of ["representations", "spectrum", "hypergraph"])
      assert.match(await page.textContent(`#${id} .missing`), /cannot be shown: .*--details/);
    await page.waitForSelector("#curves figure svg");
  });
});

test("a run of 100,000 nodes opens", async () => {
  dshn(
    "data",
    "generate",
    "--kind",
    "random",
    "--nodes",
    "100000",
    "--hyperedges",
    "40000",
    "--mean-size",
    "5",
    "--random-labels",
    "4",
    "--random-features",
    "4",
    "--seed",
    "1",
    "--out",
    at("large"),
  );
  train(
    "large-run",
    at("large"),
    "--splits 1",
    "d=1",
    "layers=1",
    "hidden_width=4",
    "classifier_width=4",
    "epochs=1",
  );
  dshn("report", at("large-run"), "--out", at("large.html"));
  const began = performance.now();
  await visit({file: "large.html"}, async (page) => {
    await page.waitForSelector("#representations figure svg circle");
    await page.waitForSelector("#hypergraph canvas");
    console.log(`100,000 nodes, 40,000 hyperedges: opened in ${Math.round(performance.now() - began)} ms`);
    assert.match(await page.textContent("#representations figcaption"), /sample of 5,000 of 100,000 nodes/);
    await page.fill("#hypergraph input", "39999");
    await page.keyboard.press("Enter");
    assert.equal(await page.textContent("#hypergraph h3"), "Hyperedge 39999");
  });
});
