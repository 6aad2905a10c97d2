export { type Part, Parts, type RunningPart, startProcess } from './parts.ts'
export { headOf, shownPlace } from './place.ts'
export { requirePorts } from './ports.ts'
export { runCommand } from './run-command.ts'
export { walk } from './source-files.ts'
export { stopAsked } from './stop-asked.ts'
export { typedCommand } from './typed-command.ts'
export {
  buildWeb,
  type Layout,
  nextCommand,
  noteServing,
  serveCommand,
  type WithWeb,
} from './web-build.ts'
export { build, withProgress } from './with-progress.ts'
