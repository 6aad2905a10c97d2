#!/usr/bin/env node
import { buildClone } from './build-clone.js'

buildClone()
// `#main` is dist/main.js, and src/main.ts under `node --conditions=svc-source`: see "imports" in package.json.
const { main } = await import('#main')

// Held until the command has ended: an application that never finishes loading is not a success.
process.exitCode = 1
const exitCode = await main(process.argv.slice(2))
// What the application left running, such as a timer, does not keep the command; its output is flushed first.
process.stdout.write('', () => process.exit(exitCode))
