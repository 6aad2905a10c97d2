import { createBoundSessionHandler } from '@svc/web/bound-session'

export const { GET, POST } = createBoundSessionHandler()
