import { defineJob } from '@svc/core'

export const auditRetention = defineJob('auth.audit-retention')
  .cron('41 3 * * *')
  .handler(() => {})
