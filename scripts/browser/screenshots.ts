import { runCommand } from '../../packages/cli/src/run/run-command.ts'

// The starter runs on the built packages.
const { passed, output } = await runCommand(['tsc', '-b', 'tsconfig.build.json'])
if (!passed) throw new Error(output)
const { takeScreenshots } = await import('../../apps/starter/web/browser/take-screenshots.ts')
await takeScreenshots(new URL('../../docs/screenshots/', import.meta.url), process.argv.slice(2))
