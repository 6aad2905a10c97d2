#!/usr/bin/env node
// `#main` is dist/front/main.js, and src/front/main.ts under `node --conditions=svc-source`: see "imports" in package.json.
import { main } from '#main'

await main(process.argv.slice(2))
