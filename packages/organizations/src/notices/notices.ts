import { memberRemovedMail, ownerLostMail, policiesMail } from './member-mails.ts'
import {
  agentConnectedMail,
  closedMail,
  domainProvedMail,
  ownerGainedMail,
  reopenedMail,
} from './owner-mails.ts'
import { policyNotice } from './policy-notice.ts'
import { ownerNotice } from './tell-owners.ts'

export { tellOfPolicies } from './policy-notice.ts'
export { tellOfLoss, tellRemoved } from './send.ts'
export {
  tellOfAgent,
  tellOfClosing,
  tellOfDomain,
  tellOfOwner,
  tellOfReopening,
} from './tell-owners.ts'

export const noticeMails = [
  memberRemovedMail,
  ownerLostMail,
  policiesMail,
  ownerGainedMail,
  closedMail,
  reopenedMail,
  agentConnectedMail,
  domainProvedMail,
]

export const noticeJobs = { ownerNotice, policyNotice }
