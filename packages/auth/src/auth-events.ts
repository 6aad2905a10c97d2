import * as events from './events.generated.ts'

/** Every event of the service by its name in the code, as an event router takes them: `defineEventRouter(authEvents)`. */
export const authEvents = { ...events }
