import { inviteUser, readAuditTrail } from '@svc/auth/server'
import { t } from '@svc/core/contract'
import { findNotices, Page } from '../notices/find-notices.ts'
import { NewNotice, postNotice } from '../notices/post-notice.ts'
import { notices } from '../schema.ts'
import { defineTool, type Tool } from './tool.ts'

export const tools: readonly Tool[] = [
  defineTool({
    name: 'list_notices',
    description: 'Lists the notices of the board, the newest first.',
    // People read the board without signing in. An agent needs its user's permission.
    permission: 'notice:read',
    input: Page,
    run: (c, page) => findNotices(c.db, notices, page),
  }),
  defineTool({
    name: 'post_notice',
    description: 'Posts a notice in the name of the user. Everyone can read it.',
    permission: 'notice:write',
    input: NewNotice,
    run: (c, notice) => postNotice(c, notice),
  }),
  defineTool({
    name: 'invite',
    description: 'Mails an invitation to create an account here, with a role.',
    permission: 'user:invite',
    input: t.Object({
      email: t.String({ maxLength: 320 }),
      role: t.String({ maxLength: 100, description: 'A role without permissions.' }),
    }),
    run: (c, invitation) => inviteUser(c, invitation),
  }),
  defineTool({
    name: 'read_audit',
    description: 'Reads who did what here, the newest first.',
    permission: 'audit:read',
    input: Page,
    run: (c, page) => readAuditTrail(c, page),
  }),
]
