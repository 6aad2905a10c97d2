import { createAuthForwarding } from '@svc/web/forwarding'
import { apiUrl } from '../../../../env.ts'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createAuthForwarding({ apiUrl })
