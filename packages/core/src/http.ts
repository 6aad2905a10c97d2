export { connectionMessage, takingMessage } from './server/handed-connections.ts'
export { type Listening, listen } from './server/listen.ts'
export { refuseOnSocket } from './server/refuse-on-socket.ts'
export { drain } from './server/shutdown.ts'
