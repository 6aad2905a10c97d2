export const approvalActs = [
  'approval.asked',
  'approval.approved',
  'approval.refused',
  'approval.used',
] as const
export type ApprovalAct = (typeof approvalActs)[number]

declare module '../caller/request-origin.ts' {
  interface DeclaredActs {
    approval: ApprovalAct
  }
}
