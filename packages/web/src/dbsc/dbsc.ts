export {
  type BoundSessionHandlerOptions,
  createBoundSessionHandler,
} from './create-bound-session-handler.ts'
export { registrationHeader } from './registration-header.ts'
export { resumePath } from './resume.ts'
