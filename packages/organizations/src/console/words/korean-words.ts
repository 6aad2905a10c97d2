import type { ConsoleWords } from './console-words.ts'

/** Korean, in the words of the console. A test says which sentence it lacks. */
export const koreanWords: ConsoleWords = {
  Organizations: '조직',
  'Find an organization by the beginning of its name or its address, or by one of its members.':
    '이름이나 주소의 앞부분, 또는 구성원으로 조직을 찾습니다.',
  'Begins with': '앞부분',
  'Search in': '검색 대상',
  Name: '이름',
  Address: '주소',
  'User id of a member': '구성원의 사용자 ID',
  State: '상태',
  All: '전체',
  Open: '열림',
  Closed: '닫힘',
  'Closed by an operator': '운영자가 닫음',
  'No organization begins like that. Give less of the beginning, or search in another field.':
    '그렇게 시작하는 조직이 없습니다. 앞부분을 더 짧게 쓰거나 다른 항목에서 찾아보세요.',
  'This user is in no organization.': '이 사용자는 어떤 조직에도 속해 있지 않습니다.',
  'There are no organizations here.': '조직이 없습니다.',
  '{slug} · created {since}': '{slug} · {since} 생성',
  '← All organizations': '← 모든 조직',
  Overview: '개요',
  'Organization id': '조직 ID',
  Created: '생성',
  'Deleted at': '삭제 예정',
  Members: '구성원',
  Owners: '소유자',
  'Pending invitations': '대기 중인 초대',
  'What happened to this organization': '이 조직에 있었던 일',
  Policies: '정책',
  'What the organization asks of its members.': '조직이 구성원에게 요구하는 것입니다.',
  'This organization asks nothing of its members.':
    '이 조직은 구성원에게 아무것도 요구하지 않습니다.',
  'Second factor': '2단계 인증',
  required: '필수',
  'required; earlier members have until {time}': '필수, 이전 구성원은 {time}까지',
  'Ways to sign in': '로그인 방법',
  'Sign in again after': '다시 로그인하는 주기',
  'Sign in again if unused for': '사용하지 않으면 다시 로그인',
  'Domains of addresses': '메일 주소의 도메인',
  '{roles} · joined {since}': '{roles} · {since} 참여',
  'This organization has no owner.': '이 조직에는 소유자가 없습니다.',
  'Only the first {count} owners are listed.': '먼저 참여한 소유자 {count}명만 표시됩니다.',
  'There are no members here.': '구성원이 없습니다.',
  'Pages of members': '구성원 페이지',
  'Help this organization': '이 조직 돕기',
  'Each is in the audit trail with your user id and the reason.':
    '모든 작업은 회원님의 사용자 ID와 사유와 함께 감사 기록에 남습니다.',
  'The organization is misused: close it for all its members. No owner can open it again.':
    '조직이 악용되고 있으면 모든 구성원에게 닫습니다. 소유자는 다시 열 수 없습니다.',
  'Close the organization': '조직 닫기',
  'Close {name} for all its members? It is deleted later, unless an operator opens it again.':
    '모든 구성원에게 {name} 조직을 닫을까요? 운영자가 다시 열지 않으면 나중에 삭제됩니다.',
  'Yes, close it': '조직 닫기',
  '{name} is closed. You can open it again until it is deleted.':
    '{name} 조직을 닫았습니다. 삭제되기 전까지 다시 열 수 있습니다.',
  'The organization is closed, and will be deleted. Until then you can open it again for its members.':
    '조직이 닫혀 있으며 곧 삭제됩니다. 그 전까지 구성원을 위해 다시 열 수 있습니다.',
  'Open it again': '다시 열기',
  'Open {name} again, for all its members?': '모든 구성원을 위해 {name} 조직을 다시 열까요?',
  'Yes, open it': '다시 열기',
  '{name} is open again.': '{name} 조직을 다시 열었습니다.',
  'No owner can meet the policies any more: end all of them. Owners can set new ones.':
    '어떤 소유자도 정책을 충족할 수 없으면 정책을 모두 해제합니다. 소유자가 새로 정할 수 있습니다.',
  'End all policies': '정책 모두 해제',
  'End all policies of {name}? Its members are asked nothing from their next request on.':
    '{name} 조직의 정책을 모두 해제할까요? 구성원은 다음 요청부터 아무 요구도 받지 않습니다.',
  'Yes, end them': '정책 모두 해제',
  '{name} has no policies now.': '{name} 조직의 정책을 모두 해제했습니다.',
  'Make an owner': '소유자로 지정',
  'Make {member} an owner of {name}? Do this only if no owner can be reached.':
    '{member} 님을 {name} 조직의 소유자로 지정할까요? 연락이 닿는 소유자가 없을 때만 하세요.',
  'Yes, make an owner': '소유자로 지정',
  '{member} is an owner now.': '이제 {member} 님이 소유자입니다.',
  Reason: '사유',
  'It is kept in the audit trail.': '감사 기록에 남습니다.',
  'Say why you do this.': '사유를 입력하세요.',
  'Nothing was done: the organization or the member has changed meanwhile, or the member can’t sign in. Look at it again.':
    '실행되지 않았습니다. 그사이 조직이나 구성원이 바뀌었거나 구성원이 로그인할 수 없는 상태입니다. 다시 확인해 주세요.',
  'This organization no longer exists.': '이 조직은 더 이상 없습니다.',
  'This user is no longer a member.': '이 사용자는 더 이상 구성원이 아닙니다.',
  'Nothing was done. Your roles do not allow it, or this page was open for too long. Reload it.':
    '실행되지 않았습니다. 회원님의 역할로는 할 수 없거나 페이지를 너무 오래 열어 두었습니다. 새로 고치세요.',
  'More organizations of this user': '이 사용자의 조직 더 보기',
  fromApi: { password: '비밀번호', code: '메일로 받은 코드', passkey: '패스키' },
}
