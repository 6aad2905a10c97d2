export { isTest, walk } from '../packages/cli/src/run/source-files.ts'
