export {
  connectionMessage,
  drain,
  type Listening,
  listen,
  refuseOnSocket,
  takingMessage,
} from './http/http.ts'
