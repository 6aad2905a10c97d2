import { run } from './bootstrap.mjs'

await run('mutants/main.ts')
