import { createRevokeAllPage } from '@svc/web/next'

export const { GET, POST } = createRevokeAllPage()
