export { broadcastSettings } from './broadcast-settings.ts'
export { linkOf } from './cache-link.ts'
export { connectEvents, currentDb } from './connect-events.ts'
export {
  currentServer,
  deliver,
  type EmittedEvent,
  type Emitter,
  type EventJob,
  type EventRecorder,
  type HandBack,
  isOneApplication,
} from './emitter.ts'
export type { Gaps } from './gaps.ts'
export { type Check, payloadCheck } from './payload-check.ts'
