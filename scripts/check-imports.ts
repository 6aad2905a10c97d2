import { resolve } from 'node:path'
import { refusals } from './imports/refusals.ts'

const refused = refusals(resolve(import.meta.dirname, '..'))
for (const { path, line, rule } of refused) console.log(`${path}:${line}: ${rule}`)
if (refused.length === 0) console.log('Every import keeps the rules.')
process.exitCode = refused.length === 0 ? 0 : 1
