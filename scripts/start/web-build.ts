export { nextCommand } from '../../packages/cli/src/run/web-build.ts'
