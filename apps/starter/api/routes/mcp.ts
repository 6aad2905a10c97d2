import { mcp as mcpEndpoint } from '@svc/mcp'

/** The tools of the board for agents. */
export const mcp = mcpEndpoint({
  path: '/mcp',
  name: 'svc-starter',
  version: '0.0.0',
  tools: [
    'listNotices',
    'createNotice',
    {
      name: 'createInvitation',
      title: 'Invite someone',
      describe: 'Mails an invitation to create an account here, with a role without permissions.',
    },
    {
      name: 'listAuditEvents',
      title: 'Read the audit trail',
      describe: 'Reads who did what here, the newest first.',
    },
  ],
})
