// The page in a real browser: runs of a built-in data set.
import assert from "node:assert/strict";
import {mkdirSync, writeFileSync} from "node:fs";
import {test} from "node:test";
import {at, dshn, prepare, tableBehind, ticks, train, visit, words} from "./setup.mjs";

prepare(() => {
  const small = ["--splits 2", "d=2", "hidden_width=8", "epochs=12"];
  train("q00", "synthetic-generated-io10", ...small, "layers=1", "q=0");
  train("q25", "synthetic-generated-io10", ...small, "layers=1", "q=0.25");
  train("deep", "synthetic-generated-io10", ...small, "layers=2", "q=0.25");
  train("other", "synthetic-generated-io30", "--model hgnn", "--splits 1", "epochs=3");
  dshn(
    "report",
    ...["q25", "q00", "deep", "other"].map(at),
    "--out",
    at("report.html"),
    "--title",
    "A <b>title</b>",
    "--explain",
    "17",
    "404",
    "nobody",
  );
});

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
      ["spectrum", 2],
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
    assert.match(await tip.first().textContent(), /node \d+.*true: class \d.*predicted: class \d/s);
  });
});

test("each data set has a leaderboard, the best run first", async () => {
  await visit({}, async (page) => {
    const headings = await page.locator("#leaderboard h3").allTextContents();
    assert.deepEqual(headings, ["synthetic-generated-io10", "synthetic-generated-io30"]);
    const first = page.locator("#leaderboard .group").first();
    const means = (await first.locator("tbody td.strong").allTextContents()).map(parseFloat);
    assert.equal(means.length, 3);
    assert.deepEqual(
      means,
      [...means].sort((a, b) => b - a),
    );
  });
});

test("two splits are not the paper's protocol", async () => {
  await visit({}, async (page) => {
    const text = await page.innerText("main");
    assert.doesNotMatch(text, /paper/i);
    assert.equal(
      await page.locator("#results figure h3").textContent(),
      "synthetic-generated-io10: test accuracy",
    );
  });
});

test("the leaderboard is sorted and filtered", async () => {
  await visit({}, async (page) => {
    assert.equal(await rows(page), 4);
    await page.fill("#leaderboard input", "dshn q=0.25");
    assert.equal(await rows(page), 2);
    assert.equal(await page.locator("#leaderboard .group:visible").count(), 1);
    await page.fill("#leaderboard input", "layers=2 q=0.25");
    assert.equal(await rows(page), 1);
    await page.fill("#leaderboard input", "no such run");
    assert.equal(await rows(page), 0);
    await page.fill("#leaderboard input", "");
    const board = page.locator("#leaderboard .group").first();
    await board.locator("th button:text-is('Run')").click();
    const names = await board.locator("tbody td:first-child").allTextContents();
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

test("several runs are drawn over each other on the same axes", async () => {
  await visit({}, async (page) => {
    const lines = () => page.locator("#curves figure").first().locator("g[aria-label=line] path").count();
    await page.waitForSelector("#curves figure svg");
    assert.equal(await lines(), 2);
    await page.click("#curves label:has-text('q00')");
    await page.waitForFunction(() =>
      /2 runs/.test(document.querySelector("#curves svg[role=img]")?.ariaLabel),
    );
    assert.equal(await lines(), 4);
    assert.match(await page.innerText("#curves .legend >> nth=0"), /q25\s+q00\s+training\s+validation/);
    const rows = await tableBehind(page, "#curves figure >> nth=0");
    assert.deepEqual(new Set(rows.map(([run]) => run)), new Set(["q25", "q00"]));
    // The choice outlives that of another run.
    await page.selectOption("nav select", {label: "deep (DSHN on synthetic-generated-io10)"});
    await page.waitForFunction(() =>
      /2 runs/.test(document.querySelector("#curves svg[role=img]")?.ariaLabel),
    );
    assert.match(await page.innerText("#curves .legend >> nth=0"), /deep\s+q00/);
  });
});

test("axes have ticks, and none beyond 100 per cent", async () => {
  await visit({}, async (page) => {
    for (const chart of [
      "#curves figure:first-child",
      "#curves figure:last-child",
      "#spectrum figure:first-child",
    ]) {
      await page.waitForSelector(`${chart} svg`);
      const found = await ticks(page, chart, "y");
      assert.ok(found.length >= 2 && found.every(Number.isFinite), `${chart}: ${found}`);
    }
    const percents = await ticks(page, "#results figure", "x");
    assert.ok(percents.length >= 2 && Math.max(...percents) <= 100, String(percents));
  });
});

test("the smallest eigenvalue is printed, and counts are logarithmic", async () => {
  await visit({}, async (page) => {
    await page.waitForSelector("#spectrum figure svg");
    assert.match(await page.textContent("#spectrum figcaption >> nth=0"), /λ_min = [\d.e-]+, λ_max = [\d.]+/);
    const counts = await ticks(page, "#spectrum figure:first-child", "y");
    const heights = await page
      .locator("#spectrum figure:first-child g[aria-label='y-axis tick label'] text")
      .evaluateAll((texts) => texts.map((text) => text.getBoundingClientRect().y));
    const at = (number) => heights[counts.indexOf(number)];
    assert.ok(Math.abs(at(1) - at(10) - (at(10) - at(100))) < 1.5, `${counts}: ${heights}`);
    const rows = await tableBehind(page, "#spectrum figure:last-child");
    const values = rows.map(([, value]) => Number(value));
    assert.deepEqual(
      values,
      [...values].sort((a, b) => a - b),
    );
  });
});

test("one hyperedge can be found, stepped from and read", async () => {
  await visit({}, async (page) => {
    const card = page.locator("#hypergraph .card").last();
    const heading = card.locator("h3");
    await card.locator("canvas").first().waitFor();
    await page.fill("#hypergraph input", "17");
    await page.keyboard.press("Enter");
    assert.equal(await heading.textContent(), "Hyperedge 17");
    const members = await card.locator("tbody").textContent();
    await page.click("#hypergraph button:text-is('Next')");
    assert.equal(await heading.textContent(), "Hyperedge 18");
    assert.notEqual(await card.locator("tbody").textContent(), members);
    await page.click("#hypergraph button:text-is('Previous')");
    assert.equal(await heading.textContent(), "Hyperedge 17");
    assert.match(await card.locator("tbody").textContent(), /correct|wrong/);
    await page.fill("#hypergraph input", "nothing is called that");
    await page.click("#hypergraph button:text-is('Find')");
    assert.match(await page.textContent("#hypergraph form [role=status]"), /No hyperedge/);
    assert.equal(await heading.textContent(), "Hyperedge 17");
  });
});

/** In the page: the hyperedge whose square has most room around it, so that a click hits it alone. */
const freestHyperedge = () => {
  const {cy} = document.querySelector("#hypergraph .overview")._cyreg;
  const places = cy.nodes().map((node) => node.renderedPosition());
  const vertices = cy.nodes(".vertex").length;
  const room = ({x, y}, i) =>
    Math.min(...places.filter((_, j) => j !== i).map((other) => Math.hypot(other.x - x, other.y - y)));
  const rooms = places.map((place, i) => (i < vertices ? 0 : room(place, i)));
  const freest = rooms.indexOf(Math.max(...rooms));
  const box = cy.container().getBoundingClientRect();
  return {name: freest - vertices, x: box.x + places[freest].x, y: box.y + places[freest].y};
};

test("the whole hypergraph is drawn, and a hyperedge of it opens", async () => {
  await visit({}, async (page) => {
    await page.locator("#hypergraph .overview").scrollIntoViewIfNeeded();
    await page.waitForSelector("#hypergraph .overview[data-drawn=items]");
    const label = () => page.getAttribute("#hypergraph .overview", "aria-label");
    assert.match(await label(), /500 nodes, \d+ hyperedges. Nodes by true class: class 0 100, class 1 100/);
    const drawn = await page.evaluate(() => {
      const {cy} = document.querySelector("#hypergraph .overview")._cyreg;
      return [cy.nodes(".vertex").length, cy.nodes(".unknown").length];
    });
    assert.deepEqual(drawn, [500, 0]);
    const square = await page.evaluate(freestHyperedge);
    const opened = () => page.textContent("#hypergraph .card:last-child h3");
    assert.notEqual(await opened(), `Hyperedge ${square.name}`);
    await page.mouse.click(square.x, square.y);
    assert.equal(await opened(), `Hyperedge ${square.name}`);
    await page.selectOption("#hypergraph .card select", {label: "Correct or wrong"});
    assert.match(await label(), /correct or wrong: correct \d+, wrong \d+/);
    const rows = await tableBehind(page, "#hypergraph .card >> nth=0");
    assert.ok(rows.some(([from, to, kind]) => from === "correct" && to === "wrong" && kind === "directed"));
  });
});

test("predictions are explained, one item at a time", async () => {
  await visit({}, async (page) => {
    const heading = page.locator("#explanations h3").first();
    assert.equal(await heading.textContent(), "Node 17");
    for (const title of ["Hyperedges", "Members", "Features"]) {
      const chart = page.locator(`#explanations figure:has(h3:text-is("${title}"))`);
      await chart.locator("svg[role=img]").waitFor();
      assert.match(await chart.locator("svg[role=img]").getAttribute("aria-label"), /: .+ (0|[+−]\d)/);
      assert.ok((await chart.locator("svg[role=img] rect, svg[role=img] path").count()) > 0, title);
      await chart.locator("summary").click();
      await chart.locator("td").nth(2).waitFor();
    }
    assert.match(await page.textContent("#explanations"), /rank correlation with the gradient.s estimates/);
    await page.selectOption("#explanations select", "1");
    assert.equal(await heading.textContent(), "Node 404");
    await page.selectOption("#explanations select", "2");
    assert.match(await page.textContent("#explanations .missing"), /nobody cannot be explained: .*named 0 to 499/);
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
    await page.waitForSelector("#explanations figure svg");
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  });
});

test("the keyboard reaches everything", async () => {
  await visit({}, async (page) => {
    const reached = new Set();
    for (let i = 0; i < 140; ++i) {
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
      "explanations",
      "theme",
    ])
      assert.ok(reached.has(id), id);
  });
});

test("one broken run is a line of the page", async () => {
  mkdirSync(at("broken"));
  writeFileSync(at("broken/result.json"), "{");
  dshn("report", at("broken"), at("q25"), "--out", at("mixed.html"));
  await visit({file: "mixed.html"}, async (page) => {
    assert.match(await page.textContent("#problems li"), /^broken.result.json: byte 2: not JSON/);
    assert.equal(await rows(page), 1);
    await page.waitForSelector("#curves figure svg");
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
    await page.waitForSelector("#hypergraph .card:last-child canvas");
    console.log(`100,000 nodes, 40,000 hyperedges: opened in ${Math.round(performance.now() - began)} ms`);
    assert.match(await page.textContent("#representations figcaption"), /sample of 5,000 of 100,000 nodes/);
    await page.fill("#hypergraph input", "39999");
    await page.keyboard.press("Enter");
    assert.equal(await page.textContent("#hypergraph .card:last-child h3"), "Hyperedge 39999");
    await page.locator("#hypergraph .overview").scrollIntoViewIfNeeded();
    await page.waitForSelector("#hypergraph .overview[data-drawn=groups]");
    const classes = await page.evaluate(() =>
      document
        .querySelector("#hypergraph .overview")
        ._cyreg.cy.nodes()
        .map((node) => node.data("label")),
    );
    assert.equal(classes.length, 4);
    assert.match(classes[0], /^class 0\n[\d,]+$/);
  });
});
