import { readFileSync, writeFileSync } from 'node:fs'
import { generate, generatedPages } from './generated-parts.ts'

for (const path of generatedPages) writeFileSync(path, generate(readFileSync(path, 'utf8')))
