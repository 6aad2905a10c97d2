import { defineJob, defineJobRouter } from '@svc/core'
import { noticePosted } from './events.ts'

const noticeLog = defineJob('notice-log')
  .on(noticePosted)
  .handler(({ id }, { log }) => log.info({ noticeId: id }, 'a notice was posted'))

export const jobRouter = defineJobRouter({ noticeLog })
