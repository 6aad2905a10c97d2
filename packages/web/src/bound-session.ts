export {
  type BoundSessionHandlerOptions,
  createBoundSessionHandler,
} from './dbsc/dbsc.ts'
