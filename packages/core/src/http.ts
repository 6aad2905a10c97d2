export {
  connectionMessage,
  drain,
  type Listening,
  lingerAfter,
  listen,
  refuseOnSocket,
  startLeaving,
  takingMessage,
} from './http/http.ts'
