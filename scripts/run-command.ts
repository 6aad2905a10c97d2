export { runCommand } from '../packages/cli/src/run/run-command.ts'
