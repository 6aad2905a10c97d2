export { connectionMessage, takingMessage } from './http/handed-connections.ts'
export { type Listening, listen } from './http/listen.ts'
export { refuseOnSocket } from './http/refuse-on-socket.ts'
export { drain } from './http/shutdown.ts'
