import { run } from './bootstrap.mjs'

await run('browser/screenshots.ts')
