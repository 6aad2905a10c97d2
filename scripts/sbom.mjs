import { run } from './bootstrap.mjs'

await run('packages/sbom.ts')
