// A data set folder with words for classes, some of them unknown: deals between companies.
import {mkdirSync, writeFileSync} from "node:fs";
import {join} from "node:path";

const crcs = Uint32Array.from({length: 256}, (_, n) => {
  for (let k = 0; k < 8; ++k) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n;
});
function crc32(bytes) {
  let crc = -1;
  for (const byte of bytes) crc = crcs[(crc ^ byte) & 255] ^ (crc >>> 8);
  return (crc ^ -1) >>> 0;
}

function npy(type, shape, bytes) {
  const fixed = `{'descr': '${type}', 'fortran_order': False, 'shape': (${shape.length === 1 ? `${shape},` : shape.join(", ")}), }`;
  const header = Buffer.from(fixed.padEnd(Math.ceil((fixed.length + 11) / 64) * 64 - 11) + "\n", "latin1");
  const length = Buffer.alloc(2);
  length.writeUInt16LE(header.length);
  return Buffer.concat([Buffer.from("\x93NUMPY\x01\x00", "latin1"), length, header, bytes]);
}

const integers = (values) =>
  npy("<i8", [values.length], Buffer.from(BigInt64Array.from(values, BigInt).buffer));
const matrix = (rows) =>
  npy("<f4", [rows.length, rows[0].length], Buffer.from(Float32Array.from(rows.flat()).buffer));
function strings(values) {
  const width = Math.max(...values.map((value) => value.length));
  const codes = values.flatMap((value) => Array.from({length: width}, (_, i) => value.charCodeAt(i) || 0));
  return npy(`<U${width}`, [values.length], Buffer.from(Uint32Array.from(codes).buffer));
}

/** A zip archive of stored files: {name: bytes}. */
function zip(files) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const [name, bytes] of Object.entries(files)) {
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(bytes.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(name.length, 22);
    const central = Buffer.alloc(14);
    central.writeUInt32LE(offset, 10);
    const own = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), common, Buffer.from(name), bytes]);
    directory.push(Buffer.from("PK\x01\x02\x14\x00", "latin1"), common, central, Buffer.from(name));
    parts.push(own);
    offset += own.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, listed, Buffer.from("PK\x05\x06", "latin1"), end]);
}

export const classNames = ["car dealer", "bank", "shell <b>company</b>"];

/**
 * 60 companies of three classes, every third one unknown, with features that tell the classes apart. Deals 0 to 29
 * are small and directed, "many" has 20 tails and 20 heads, "all" 41 members without direction.
 */
export function writeDeals(folder) {
  const count = 60;
  const classOf = (v) => Math.floor(v / 20);
  const incidences = [];
  const connect = (edge, nodes, direction) =>
    nodes.forEach((v) => incidences.push({edge, node: `company ${v}`, direction}));
  for (let e = 0; e < 30; ++e) {
    connect(`deal ${e}`, [2 * e, (2 * e + 7) % count], "tail");
    connect(`deal ${e}`, [(2 * e + 1) % count], "head");
  }
  const first = (number, from) => Array.from({length: number}, (_, i) => from + i);
  connect("many", first(20, 0), "tail");
  connect("many", first(20, 20), "head");
  connect("all", first(41, 10), "tail");
  mkdirSync(folder, {recursive: true});
  const nodes = first(count, 0).map((v) => ({node: `company ${v}`}));
  const document = {"network-type": "directed", nodes, incidences};
  writeFileSync(join(folder, "hypergraph.hif.json"), JSON.stringify(document));
  const features = first(count, 0).map((v) =>
    [0, 1, 2].map((c) => (c === classOf(v) ? 1 : 0.1 * ((v * 7) % 5))),
  );
  writeFileSync(
    join(folder, "nodes.npz"),
    zip({
      "x.npy": matrix(features),
      "y.npy": integers(first(count, 0).map((v) => (v % 3 === 2 ? -1 : classOf(v)))),
      "class_names.npy": strings(classNames),
    }),
  );
}
