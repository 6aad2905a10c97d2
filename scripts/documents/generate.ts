import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { diagrams } from './diagrams/diagrams.ts'
import { exportPages } from './exports/exports.ts'
import { generate, generatedPages } from './generated-parts.ts'

for (const path of generatedPages) writeFileSync(path, generate(readFileSync(path, 'utf8')))
for (const { path, text } of [...diagrams, ...exportPages()]) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
