import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { starterFiles } from '../../packages/cli/src/create/starter.ts'

// The files that an installed `svc create` copies. Runs before `svc` is packed.
const folder = resolve(import.meta.dirname, '../../packages/cli/dist')
const file = join(folder, 'starter.json')
mkdirSync(folder, { recursive: true })
// In one step, because packages may be packed twice at once.
writeFileSync(`${file}.${process.pid}`, JSON.stringify(starterFiles()))
renameSync(`${file}.${process.pid}`, file)
