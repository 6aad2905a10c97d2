import { run } from './bootstrap.mjs'

await run('test/test.ts', '--mode', 'long')
