export {
  type BoundSessionHandlerOptions,
  createBoundSessionHandler,
} from './dbsc/create-bound-session-handler.ts'
