// Tests of the messages of `crates/wasm/build`; they build nothing.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("../build", import.meta.url));
const run = (words, path = process.env.PATH) => {
  const { status, stdout, stderr } = spawnSync(script, words, { encoding: "utf8", env: { ...process.env, PATH: path } });
  return { status, stdout, stderr };
};

test("help lists the options and what is needed", () => {
  const { status, stdout } = run(["--help"]);
  assert.equal(status, 0);
  for (const words of ["--quick", "rustup target add wasm32-unknown-unknown", "wasm-opt"]) assert.ok(stdout.includes(words), words);
});

test("an unknown option is an error", () => {
  const { status, stderr } = run(["--fast"]);
  assert.equal(status, 2);
  assert.match(stderr, /unknown option --fast; see crates\/wasm\/build --help/);
});

const debian = existsSync("/usr/bin/wasm-ld-19") && existsSync("/usr/bin/rustc");

test("a missing target is an error that names it", { skip: debian && "Debian's compiler is installed" }, () => {
  const directory = mkdtempSync(join(tmpdir(), "ninefold-"));
  try {
    // A toolchain without the target.
    writeFileSync(join(directory, "rustc"), "#!/bin/sh\necho /nonexistent\n");
    chmodSync(join(directory, "rustc"), 0o755);
    const { status, stderr } = run([], `${directory}:${process.env.PATH}`);
    assert.equal(status, 1);
    assert.match(stderr, /^error: no Rust compiler for wasm32-unknown-unknown\nhint: .*rustup target add wasm32-unknown-unknown/);
    assert.match(stderr, /apt-get install rustc-web/);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
