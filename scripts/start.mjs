import { run } from './bootstrap.mjs'

await run('start/start.ts')
