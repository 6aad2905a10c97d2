export { temporaryFolder as temporaryTree } from '../packages/cli/src/testing/temporary-folder.ts'
