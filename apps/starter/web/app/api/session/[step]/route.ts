import { createBoundSessionHandler } from '@svc/web/proxy'

export const { GET, POST } = createBoundSessionHandler()
