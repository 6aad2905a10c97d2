export { startPart } from '../../packages/cli/src/run/part.ts'
