import type { OrganizationWords } from './organization-words.ts'

/** Korean, in the words of the account pages. A test says which sentence it lacks. */
export const koreanWords: OrganizationWords = {
  Organizations: '조직',
  'Organization: {name}': '조직: {name}',
  'All organizations': '모든 조직',
  'Create an organization': '조직 만들기',
  'What you share with the members of an organization stays in it.':
    '조직의 구성원과 공유한 내용은 그 조직 안에만 있습니다.',
  'Loading your organizations…': '조직을 불러오는 중…',
  'You are in no organization yet. Create one, or open the link of an invitation.':
    '아직 속한 조직이 없습니다. 조직을 만들거나 초대 링크를 여세요.',
  'A new organization': '새 조직',
  'You are its owner, and can invite others.':
    '회원님이 소유자가 되며 다른 사람을 초대할 수 있습니다.',
  Name: '이름',
  Create: '만들기',
  'Creating…': '만드는 중…',
  '{name} is created.': '{name} 조직을 만들었습니다.',
  'A name has 1 to 100 characters.': '이름은 1자 이상 100자 이하여야 합니다.',
  'You own as many organizations as one account may.':
    '한 계정이 소유할 수 있는 조직의 수에 도달했습니다.',
  Open: '열기',
  'Open again': '다시 열기',
  'Open {name} again, for all its members?': '모든 구성원을 위해 {name} 조직을 다시 열까요?',
  'Yes, open it': '다시 열기',
  '{name} is open again.': '{name} 조직을 다시 열었습니다.',
  'Closed. It is deleted on {day}.': '닫혔습니다. {day}에 삭제됩니다.',
  Members: '구성원',
  'Members may do what any of their roles allows, from the next request on.':
    '구성원은 가진 역할 중 하나라도 허용하는 일을 다음 요청부터 할 수 있습니다.',
  'Loading the members…': '구성원을 불러오는 중…',
  You: '나',
  '{roles} · joined {since}': '{roles} · {since} 참여',
  Done: '완료',
  Manage: '관리',
  Roles: '역할',
  'Save the roles': '역할 저장',
  Save: '저장',
  'Saving…': '저장하는 중…',
  'A member has at least one role.': '구성원에게는 역할이 하나 이상 있어야 합니다.',
  'The roles of {name} are changed.': '{name} 님의 역할을 바꾸었습니다.',
  'Make the owner': '소유자로 지정',
  'Make {name} the owner of {organization}? You become an admin.':
    '{name} 님을 {organization} 조직의 소유자로 지정할까요? 회원님은 관리자가 됩니다.',
  'Yes, hand it over': '넘겨주기',
  '{name} is the owner now.': '이제 {name} 님이 소유자입니다.',
  Remove: '내보내기',
  'Remove {name}? They lose access at once.': '{name} 님을 내보낼까요? 즉시 접근할 수 없게 됩니다.',
  'Yes, remove': '내보내기',
  '{name} is no longer a member.': '{name} 님은 더 이상 구성원이 아닙니다.',
  'Pages of members': '구성원 페이지',
  '← First page': '← 첫 페이지',
  'Next page →': '다음 페이지 →',
  Teams: '팀',
  'The members of a team have its roles in the whole organization.':
    '팀의 구성원은 조직 전체에서 팀의 역할을 갖습니다.',
  'Loading the teams…': '팀을 불러오는 중…',
  'There is no team yet.': '아직 팀이 없습니다.',
  'Without roles of its own.': '팀의 역할이 없습니다.',
  'A new team': '새 팀',
  'You add its members under Members.': '팀에 넣을 사람은 구성원 페이지에서 추가합니다.',
  'Roles of each member, in the whole organization': '조직 전체에서 각 구성원이 갖는 역할',
  'Create the team': '팀 만들기',
  'There are as many teams as an organization may have. Delete one first.':
    '조직이 가질 수 있는 팀의 수에 도달했습니다. 먼저 하나를 삭제하세요.',
  'The team {name} is created.': '{name} 팀을 만들었습니다.',
  'The team {name} is changed.': '{name} 팀을 바꾸었습니다.',
  'Name and roles': '이름과 역할',
  'Delete the team': '팀 삭제',
  'Delete the team {name}? Its members stay in the organization.':
    '{name} 팀을 삭제할까요? 팀의 구성원은 조직에 남습니다.',
  'The team {name} is deleted.': '{name} 팀을 삭제했습니다.',
  'No member is in this team yet.': '아직 이 팀에 구성원이 없습니다.',
  'Add members': '구성원 추가',
  '{roles} in this team · joined {since}': '이 팀에서 {roles} · {since} 참여',
  'Joined {since}': '{since} 참여',
  'Roles in this team alone': '이 팀에서만 갖는 역할',
  'Take {name} out of the team {team}?': '{name} 님을 {team} 팀에서 뺄까요?',
  '{name} is no longer in the team.': '{name} 님은 더 이상 이 팀에 없습니다.',
  'Leave the team {name}? You stay in the organization.':
    '{name} 팀에서 나갈까요? 조직에는 남습니다.',
  Team: '팀',
  'Add to the team': '팀에 추가',
  '{name} is in the team {team} now.': '{name} 님을 {team} 팀에 추가했습니다.',
  'This member is in as many teams as a member may be.':
    '이 구성원은 속할 수 있는 팀의 수에 도달했습니다.',
  'This team no longer exists, or you are not in it.':
    '이 팀이 더 이상 없거나 회원님이 팀에 속해 있지 않습니다.',
  'This member is in the team already.': '이 구성원은 이미 이 팀에 있습니다.',
  Invitations: '초대',
  'We email a link. With it, the person becomes a member with the roles that you choose.':
    '메일로 링크를 보냅니다. 받은 사람은 그 링크로 회원님이 고른 역할을 가진 구성원이 됩니다.',
  'Loading the invitations…': '초대를 불러오는 중…',
  'Invite someone': '초대하기',
  'The link works once, within seven days, for the account with this address.':
    '링크는 7일 안에 한 번, 이 주소의 계정에만 쓸 수 있습니다.',
  Email: '이메일',
  Invite: '초대',
  'Inviting…': '초대하는 중…',
  'Enter a valid email address, and choose a role.':
    '올바른 이메일 주소를 입력하고 역할을 고르세요.',
  'There are as many invitations or members as there may be. Cancel or remove some first.':
    '초대나 구성원의 수가 한도에 도달했습니다. 먼저 일부를 취소하거나 내보내세요.',
  'We sent an invitation to {email}.': '{email} 주소로 초대를 보냈습니다.',
  'Pending invitations': '대기 중인 초대',
  'No invitation is pending.': '대기 중인 초대가 없습니다.',
  '{roles} · invited {since} · until {day}': '{roles} · {since} 초대 · {day}까지',
  'Cancel invitation': '초대 취소',
  'Cancel the invitation? The link sent to {email} stops working.':
    '초대를 취소할까요? {email} 주소로 보낸 링크를 더 이상 쓸 수 없게 됩니다.',
  'Yes, cancel it': '초대 취소',
  'Keep it': '취소하지 않기',
  'The invitation of {email} is cancelled. Its link no longer works.':
    '{email} 주소의 초대를 취소했습니다. 링크를 더 이상 쓸 수 없습니다.',
  Invitation: '초대',
  'Sign in to accept the invitation': '초대를 수락하려면 로그인하세요',
  'Use the account with the address that the invitation was sent to.':
    '초대를 받은 주소의 계정을 쓰세요.',
  'Sign in': '로그인',
  'Create an account': '계정 만들기',
  'You are invited to an organization': '조직에 초대되었습니다',
  'You are signed in as {as}. Its members can see this address.':
    '{as} 계정으로 로그인되어 있습니다. 조직의 구성원은 이 주소를 볼 수 있습니다.',
  Join: '참여하기',
  'Joining…': '참여하는 중…',
  'This invitation does not work': '이 초대는 쓸 수 없습니다',
  'You are signed in as {as}. An invitation works only for the account with the address that it was sent to.':
    '{as} 계정으로 로그인되어 있습니다. 초대는 초대를 받은 주소의 계정에만 쓸 수 있습니다.',
  'Use another account': '다른 계정 사용',
  'Otherwise it was used or cancelled, or has expired. Ask the person who invited you for another one.':
    '그렇지 않다면 초대가 이미 사용되었거나 취소되었거나 만료되었습니다. 초대한 사람에게 다시 요청하세요.',
  'Opening the link changes nothing. You are a member when you choose to join.':
    '링크를 열기만 해서는 아무것도 바뀌지 않습니다. 참여하기를 눌러야 구성원이 됩니다.',
  'You can leave the organization at any time, under its settings.':
    '조직의 설정에서 언제든지 나갈 수 있습니다.',
  'A role is a set of permissions in this organization.':
    '역할은 이 조직에서 쓰는 권한의 모음입니다.',
  'Loading the roles…': '역할을 불러오는 중…',
  'A new role': '새 역할',
  'It can allow no more than your own roles do.':
    '회원님의 역할이 허용하는 것까지만 허용할 수 있습니다.',
  'built-in': '기본',
  'Only what every member may do.': '모든 구성원이 할 수 있는 일만 할 수 있습니다.',
  'Everything in the organization.': '조직의 모든 일을 할 수 있습니다.',
  'Display name': '표시 이름',
  'For people, such as Accountant.': '사람에게 보이는 이름입니다. 예: 회계 담당',
  'For programs, such as accountant. It stays.':
    '프로그램이 쓰는 영문 이름입니다. 나중에 바꿀 수 없습니다.',
  'A display name has 1 to 100 characters.': '표시 이름은 1자 이상 100자 이하여야 합니다.',
  'A name has 2 to 40 of a–z, 0–9, “_” and “-”, and begins with a letter.':
    '이름은 영문 소문자로 시작해야 하고, 영문 소문자, 숫자, “_”, “-”를 2자 이상 40자까지 쓸 수 있습니다.',
  'There are as many roles as an organization may have. Delete one first.':
    '조직이 가질 수 있는 역할의 수에 도달했습니다. 먼저 하나를 삭제하세요.',
  'Create the role': '역할 만들기',
  'The role {name} is created.': '{name} 역할을 만들었습니다.',
  'The role {name} is changed.': '{name} 역할을 바꾸었습니다.',
  'Delete the role': '역할 삭제',
  'Delete the role {name}? Members who have no other role have the role Member then.':
    '{name} 역할을 삭제할까요? 다른 역할이 없는 구성원은 구성원 역할을 갖게 됩니다.',
  'Yes, delete it': '역할 삭제',
  'The role {name} is deleted.': '{name} 역할을 삭제했습니다.',
  Settings: '설정',
  'The name of the organization, and how you leave or close it.':
    '조직의 이름을 바꾸거나, 조직에서 나가거나, 조직을 닫습니다.',
  'Loading the settings…': '설정을 불러오는 중…',
  'Name and address': '이름과 주소',
  Address: '주소',
  'Part of the address of its pages. Links with the old one stop working.':
    '조직 페이지 주소의 일부입니다. 바꾸면 이전 주소의 링크는 쓸 수 없습니다.',
  'A name has 1 to 100 characters, and an address 2 to 48 of a–z, 0–9 and hyphens.':
    '이름은 1자 이상 100자 이하, 주소는 영문 소문자, 숫자, 하이픈으로 2자 이상 48자 이하여야 합니다.',
  'The name and the address are saved.': '이름과 주소를 저장했습니다.',
  Membership: '소속',
  'This organization is your own. It has no other members, and is deleted with your account.':
    '회원님 개인의 조직입니다. 다른 구성원이 없으며, 계정과 함께 삭제됩니다.',
  Leave: '나가기',
  'You lose access at once. What you wrote stays.':
    '즉시 접근할 수 없게 됩니다. 작성한 내용은 남습니다.',
  'Leave {name}? You need an invitation to come back.':
    '{name} 조직에서 나갈까요? 다시 들어오려면 초대가 필요합니다.',
  'Yes, leave': '나가기',
  'You have left {name}.': '{name} 조직에서 나갔습니다.',
  'Hand over': '소유권 넘겨주기',
  'Another member becomes the owner in your place. You become an admin.':
    '다른 구성원이 소유자가 되고 회원님은 관리자가 됩니다.',
  'Choose a member': '구성원 선택',
  'Close the organization': '조직 닫기',
  'No member can use it any more. It is deleted later, and until then an owner can open it again.':
    '어떤 구성원도 쓸 수 없게 됩니다. 나중에 삭제되며, 그 전까지 소유자가 다시 열 수 있습니다.',
  Close: '닫기',
  'Close {name} for all its members?': '모든 구성원에게 {name} 조직을 닫을까요?',
  'Yes, close it': '조직 닫기',
  '{name} is closed.': '{name} 조직을 닫았습니다.',
  'An organization keeps at least one owner. Make another member an owner first, or close the organization.':
    '조직에는 소유자가 한 명 이상 있어야 합니다. 먼저 다른 구성원을 소유자로 지정하거나 조직을 닫으세요.',
  'You can’t give or take more than your own roles allow.':
    '회원님의 역할이 허용하는 것보다 많은 권한은 주거나 뺄 수 없습니다.',
  'This address is already invited. Cancel that invitation first, or wait until it expires.':
    '이미 초대한 주소입니다. 먼저 그 초대를 취소하거나 만료될 때까지 기다리세요.',
  'This address is taken. Choose another one.':
    '이미 쓰이고 있는 주소입니다. 다른 주소를 고르세요.',
  'There are as many as there may be. Remove one first.':
    '한도에 도달했습니다. 먼저 하나를 삭제하세요.',
  'You are no longer a member of this organization, or it is closed.':
    '더 이상 이 조직의 구성원이 아니거나 조직이 닫혔습니다.',
  'This user is no longer a member.': '이 사용자는 더 이상 구성원이 아닙니다.',
  'One of these roles no longer exists.': '이 역할 중 하나가 더 이상 없습니다.',
  'A role has this name already. Choose another name.':
    '같은 이름의 역할이 이미 있습니다. 다른 이름을 정하세요.',
  'This invitation was accepted or cancelled, or has expired.':
    '이 초대는 수락되었거나 취소되었거나 만료되었습니다.',
  'Nothing was done. Your roles no longer allow it, or this page was open for too long. Reload it.':
    '아무것도 하지 않았습니다. 회원님의 역할이 더 이상 허용하지 않거나 페이지를 너무 오래 열어 두었습니다. 새로 고치세요.',
  'You are a member, but this organization asks for more first.':
    '회원님은 구성원이지만, 이 조직은 먼저 다음을 요구합니다.',
  'What to do': '할 일',
  'Sign in again': '다시 로그인',
  'It is too long since you signed in on this device, or used it.':
    '이 기기에서 로그인하거나 사용한 지 너무 오래되었습니다.',
  'Use an address of this organization': '이 조직의 주소 사용',
  'Your account has no address of its domains.':
    '회원님의 계정에는 이 조직 도메인의 주소가 없습니다.',
  'Change the address': '주소 변경',
  'Set up a second factor': '2단계 인증 설정',
  'Your account has none.': '회원님의 계정에 아직 설정되어 있지 않습니다.',
  'Set up': '설정하기',
  'Sign in in another way': '다른 방법으로 로그인',
  'This organization allows: {ways}.': '이 조직이 허용하는 방법: {ways}',
  'This organization asks for a second factor from {day} on.':
    '이 조직은 {day}부터 2단계 인증을 요구합니다.',
  'A policy of the organization does not allow it. Reload the page to see what it asks for.':
    '조직의 정책이 허용하지 않습니다. 페이지를 새로 고쳐 무엇을 요구하는지 확인하세요.',
  fromApi: {
    'Change the policies': '정책 변경',
    password: '비밀번호',
    code: '메일로 받은 코드',
    passkey: '패스키',
    Owner: '소유자',
    Admin: '관리자',
    Member: '구성원',
    'Change the name': '이름 변경',
    'Close the organization': '조직 닫기',
    'Invite members': '구성원 초대',
    'Change the roles of members': '구성원의 역할 변경',
    'Remove members': '구성원 내보내기',
    'Manage roles': '역할 관리',
    'Manage teams': '팀 관리',
    'Manage machines': '프로그램 관리',
    'Read the audit trail': '감사 기록 보기',
    'Connect agents': '에이전트 연결',
  },
}
