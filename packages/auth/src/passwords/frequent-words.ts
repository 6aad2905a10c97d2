/**
 * The words that leaked passwords are most often made of. The longer ones are passwords by
 * themselves; the others become one by what people append.
 */
export const frequentWords: ReadonlySet<string> = new Set(
  `
01020304 0192837465 10203040 1020304050 10293847 1029384756 11223344 1122334455 112233445566
11235813 1123581321 12131415 1232323q 1234567aa 123456aa 123456as 123456qw 123456ru 123654
12369874 123698745 123qq123 12qw34er 12qwaszx 1314520 13243546 134679852 147258 15426378 159357
159753 18436572 19283746 192837465 19411945 1a2b3c4d 1michael 1million 1passwor 1q2q3q4q 1qw23er4
22446688 23skidoo 25800852 31415926 44332211 4815162342 5201314 55bgates 66613666 69camaro
73501505 74108520 9293709b13 a1234567 a12345678 a123456789 aa123456 aa12345678 aa123456789
aardvark ab123456 abc123456 abcd12345 aberdeen abnormal abracadabra abrakadabra acapulco access14
accord achilles acidburn action adam adgjmptw adidas admin administrator adrenalin agent007 aggies
ahmed airborne airforce airplane alabama alaska albatros alcatraz alejandr alejandro aleksandr
aleksandra alessandro alex alexande alexander alexander1 alexandra alexandre alexandria alexis
alice aliens allah alleycat allison1 alpha alpine alterego amadeus amanda amateurs amazon amber
ambrosia america amethyst amor amorcito amore amsterdam amy anaconda anakin anarchy anastasia
anastasiya anderson andrea andrei andrew andrey android andromeda andyod22 angel angela angels
angus anhyeuem animal anime anna annie antelope anthony anubis apache apollo apple applepie apples
april aquarius aragorn area argentin arizona armagedon armstron arsenal arthur as123456 asdf4321
ashley aspirine asshole asterix astros atlanta atlantis atletico atomic auburn audrey august
aussie austin australi autumn avalon avatar avenger awesome azerty babe baberuth babes babybear
babyblue babydoll babyface babygirl babylon babylove backbone backdoor badboy badger balloons
baltimor banana bananas bandit bandung banshee baracuda barbados barbara barbie barcelona barefeet
barefoot baritone barney barselona baseball basket basketball bassman batman bayern bayernmunich
bcfields beagle bear bearcats beast beatles beautifu beautiful beauty beavis beckham beefcake beer
beethove beetle beijing bellagio ben bendover benessere benjamin bergkamp berlin besiktas beth
bigblack bigblock bigboy bigdaddy bigdog bigfoot biggie bigguy bigmac bigman bigmoney bigone
bigpoppa bigred bigtruck billy billybob billyboy bingo biohazard birdie birdman birthday biscuit
bismarck bismillah black blackberry blackbird blackcat blackdog blackhawk blackie blackjack
blacklab blackout blacks blacky blade blades blaster blazer blessed blessing blink blink182
blizzard blondie blue bluebell blueberr blueberry bluebird blueeyes bluefish bluejays bluemoon
blues bluesky bluesman bobafett bobcat bobdylan bobmarley boeing bomber bond bonehead bones bonita
bonjour booger boogie bookworm boomer boots booty bordeaux borussia bosco bossman boston bowler
bowling bradley1 brando brandon brasil braves brazil breeze brenda brian brighton britney brittany
bronco broncos brooklyn brownie browns bruce brucelee bruins brutus bubba bubble bubbles buckeye
buckeyes buckshot budapest buddha buddy buddyboy budlight budweiser buffalo bukowski bull bulldog
bulldogs bullet bullfrog bulls bullseye bullshit bunny burger buster buttercup butterfly butthead
bynthytn cabernet cactus cadillac caesar caliente caligula calimero callisto camaro camaross
cambridg camel camelot cameron canada candyman cannibal canon cantona7 capetown capitals capricorn
capslock captain cardinal carebear carlitos carlos carmen carnival carol carolina caroline
carpente carpet carrot cartman cartoons casanova casey cashflow cashmoney casino casper cassandr
cassie catch catdog catfish catherin catherine cats catwoman cavalier cbr900rr cdtnkfyf celica
celine celtic celtics cerberus cessna cfitymrf chainsaw challeng champ champion champs changeit
changeme changethis chaos charger chargers charisma charizard charles1 charlie charlott charlotte
charlton charly charmed checkers cheerleaers cheese chelsea cherokee cherries cherry cheshire
chester chevelle chevrolet chevy chewbacca cheyenne chicago chicken chicks chiefs chipmunk chipper
chloe chocolat chocolate chopper chris chrisbln chrissy christian christin christina christine
christma christmas christopher chronic chrysler chubby chuckles chucky ciao cinnamon cintaku
cjkysirj claire clancy clarinet classic claudia claymore cleopatr clevelan clippers clover
cnfybckfd cobra cocacola coffee coldbeer coldfusion coldplay colombia colorado colors colt
coltrane comanche commande commando company compaq computer concorde concrete condor connect
connor consumer contrasena cookie cookies cooldude cooler coolhand coolio coolness copenhag copper
corazon corinthians corleone corona corvette cosmo cosmos cosworth cougar counterstrike coventry
cowboy cowboys coyote cracker craig crazy crazybab creative crescent cricket crimson cristina
crjhgbjy crusader crystal cuddles culinary cupcake curious cutiepie cyclones cygnusx1 cynthia
daddy dagger daisy daisydog dakota dallas dancer danger daniel daniela danielle danni dannyboy
darkangel darklord darkness darkside darkstar darthvader dave david daytona dbrnjhbz deadhead
deadpool death deathnote debbie deborah december deeznuts deeznutz default defender defiant
deftones delete delhi delpiero delta demo demon666 denise dennis derparol desert designer destiny
detroit deutschland dexter dfcbkbcf dfktynbyf diablo diamond diamonds diana diane dickhead diesel
dietcoke digger digital dilbert dima dingdong dinosaur dipstick dirtbike discover disney dkflbckfd
doberman doctor dodger dodgeram dodgers dogg doggie doggy doghouse dogpound dogs dolemite dollar
dolphin dolphins dominic dominion dominiqu dominique domino donald donaldduck donkey donna
dontknow doodle dookie doomsday doraemon dorothy dortmund doughboy douglas drago dragon dragonball
dragons dragster dreamer dreams dreamweaver driver drizzt drowssap drpepper drummer dthjybrf
dtkjcbgtl dublin duck durango dutchess dylan dynamite eagle eagles earnhard earthlink eastside
eastwood eatmenow eclipse eddie eduard edward eggplant einstein ekaterina elcamino eldorado
electric electron element elena elephant elisabet elizabet elizabeth elizaveta ella ellie elvis
emerald emily eminem emma empire enforcer engineer england1 enigma enter enternow enterprise eric
erica ericsson erin escalade espana espresso estrella eternity ethan eugene eva evan evangelion
everlast everton evolutio excalibur explorer express extreme facebook fairlane falcon falcons
family fandango fantasia fantasy fantomas farscape farside fastball faster fatboy fatcat fatman
favorite fearless feathers february feelgood fender fenerbahce fernando ferrari ferret fgtkmcby
fidelity fighter finger fiona fire fireball firebird firefly fireman firewall fish fishbone
fisherman fishhead fishing fishtank fitness fkbyjxrf fktrcfylh fktrcfylhf flamengo flames flamingo
flash flexible flipflop flipper florence florida flounder flower fluffy flvbybcnhfnjh flyboy
flyers foobar football fordf150 forest forever forgetit forgot formula forsaken fortnite fossil
foxtrot foxylady france francesc francesco francis francisco frank frankie1 freaky freckles freddy
frederick freebird freedom freefall freeuser friday friend friends friendster frodo frog frogger
froggy front front242 frontier frosty fuckoff fuckthis fuckyou fullmoon funstuff funtime fusion
fussball futurama fyfcnfcbz fyfnjkbq fyutkbyf fyutkjxtr gabriel gabriella galatasaray galaxy
galina gallaries gambit gamecube gameover gandalf ganesh gangsta gangster gannibal garden garfield
gargoyle gary gateway gator gatorade gators gbhfvblf geheim gemini genesis genius george gerald
geronimo gesperrt getmoney getsome gfhjkm123 ghbdtn123 ghblehjr ghbywtccf ghjcnbnenrf ghjcnjgfhjkm
ghjcnjnfr ghjuhfvvf ghost ghostrider gianluca giants gigabyte ginger girls gizmo gizmodo gladiator
gloria goblin goblue godbless godfather godsmack godzilla goforit gogators goku golden goldeneye
goldfish goldstar goldwing golf golfball golfer golfing gonzalez gonzo goober good123654 goodgirl
goodluck goodyear google google123 goose gordon gorilla gotcha gothic grace granny greatone
greedisgood green greenbay greenday greenman greg gregory gremlin greywolf grizzly groovy
gryffindor gsxr1000 gtnhjdbx guardian guest guillaum guinness guitar gundam gunner hacker hailey
hairball halflife hallo hallowee halloween hamburg hamlet hammer hammers hamster handball handyman
hanna hannah hannibal hanoi hansolo happy hardball hardcore hardrock hardwood harley harold harry
harrypotter haslo hassan hattrick hawaii hawaiian hawkeye hayabusa hearts heather heaven hedgehog
heineken helen hellfire hello hellokitty helloworld hellsing hellyeah helpme hendrix henry herbie
hercules herewego hermes hernandez hershey hesoyam hetfield hidden highbury highlander highlife
hillbill hiphop hitman hobbes hobbit hockey hogwarts holiday holly hollywoo homemade homepage
homer homerun honda honeybee hongkong honolulu hooligan hoosiers hornet horse horses hotboy hotdog
hotrod hotstuff hottie hounddog houston1 howard htubcnhfwbz hugo hummer hunter hunting hurrican
hurricane huskers huskies hyperion ibanez icecream icehouse iceman idontknow iforgot ihatelife
ihateyou ilikepie illusion ilove ilovegod iloveher iloveme ilovesex iloveu iloveyou iloveyou3000
iloveyousomuch imissyou immortal impala implants incubus india indiana indians indigo indonesia
inferno infiniti infinity insane insomnia inspiron instagram integra internet intrepid intruder
inuyasha ireland1 irina irishman ironmaiden ironman isaac isabella islander istanbul istheman
italia italiano ivan ivanov iverson jack jackal jackass1 jackie jackson jacob jade jaguar jaime
jakarta jamaica james jamesbond jane janet janice january jared jasmine jason jasper javier
jayhawks jeep jeepster jeff jefferso jeffrey jellybean jennifer jenny jeremiah jeremy jericho
jerry jesse jessica jester jesus jiggaman jill jimbo jimbob jimmy joanna joe joel johanna johannes
john johncena johngalt johnny johnson joker jonathan jordan jorge jose joseph josephin josh joshua
juan judith juice julia julian julie juliette july jumper june jungle junior junkmail jupiter
jurassic just4fun justdoit justice justin justinbieber justine justme juventus kakashka kamikadze
kamikaze kangaroo kansas karate karen karina karl karolina kasia kasper katana katarina kate
katerina katherine kathleen kathy katie katrin kawasaki kayla kazantip kcchiefs keeper keith kelly
kenneth kenwood kenworth kevin keyboard keystone kicker kimberly kingkong kingpin kingston kirill
kisses kissme kitkat kitten kitty kittycat kittykat kjrjvjnbd kleopatra klondike knicks knights
knockers knuckles kochanie kodiak konstantin kordell1 korea koroleva krasotka krishna kristen
kristin krokodil kyle labrador labtec lacrosse ladybug laetitia laguna lakers lakeside lakewood
lalakers lance lancelot lancer larisa larry laserjet lastpass lasvegas latino laura lauren laurent
lavalamp leagueoflegends leather leavemealone lebowski ledzep leedsutd left4dead legend legion
legolas lemonade lennon lenochka leo leon leonardo leopard leprechaun leslie lestat letmein
letmeinnow letmeinplease letsdoit letsgo lexmark lfitymrf liam liberty lifehack lightning lights
lilwayne limewire linda lineage linkedin linkinpark lionking liquid lisa liverpool liverpoolfc
lizard ljxtymrf lobster lockdown logan login logitech lois lokomotiv lol12345 lollipop lollypop
london lonesome lonestar lonewolf longhair longjohn lordoftherings lorenzo losangeles loser lotus
louis louise love loveit lovelife lovely loveme lover loverboy loverman lovers loveyou lowrider
lubov lucas lucia lucifer lucky luckydog luckyone lucy luis luke lunchbox lyubov macaroni macdaddy
machine madagaskar maddie maddog madison madman madmax madness madrid maestro magellan maggie
magic magician magicman magnum magnus maiden majestic makaveli maksim maksimka malibu mallard
mallorca mallrats mamacita mamapapa manager manchester mandrake maniac manson manuel manunited
manutd maradona marathon marauder marcel marcello march marcin marcius2 marco marcus margaret
margarit margarita maria marie marina marine mariners marines marino mario mariposa mark marlboro
marley marseille marshall martha martin martinez martini mary maryjane masamune maserati mash4077
mason massive master matchbox mateusz matrix matt matthew matthias max maxima maximus maxwell
mazafaka mazda mazda626 mazdarx7 meatball meathead meatloaf mechanic megadeth megaman megan
megatron melanie melissa memphis mephisto mercedes mercury meridian merlin mersedes messi
metallica mexico mia miami michael michele michelle michigan mickey mickeymouse microlab
microphone microsoft midnight miguel mike mikey milano millenium millwall minecraft minimoni
minnesot mirage mischief misfit misiek mister mitchell mitsubishi modelsne mohammed molly mollydog
molson monalisa monday money moneyman mongoose monica monique monitor monkey monkeys monopoly
monster montana monterey montgom240 montreal montrose mookie moonbeam moonlight moose morgan
morpheus morrowind mortgage mortimer moscow moskva motdepasse mother motherfucker motherlode
motorola mountain mouse mozart mudvayne muhammad mulder multiplelo mumbai munchkin muppet muscle
mushroom music musicman mustafa mustang mustangs mylove mynameis mypassword myxworld nancy napoli
naruto nascar natali natalie1 natasha natedogg nathalie nathan nathaniel naughty1 nautilus
navigator navyseal ncc1701a ncc1701d ncc1701e ncc74656 nebraska neil nemesis nemrac58 neptune
netflix netscape nevermind nevermore newcastl newlife newpass6 newpassword newport newyork neymar
nicholas nick nicola nicolas nicole nightmar nightowl nightwish nikita nimrod nina nineball
nineinch niners ninja nintendo nippon nirvana nissan noah nokia nokia5800 nokia6233 nokia6300
nokian73 nolimit noname123 noodles nookie nopassword norman normandy nosferatu nostromo notebook
nounours november nthvbyfnjh nugget number nuttertools nwo4life nygiants oakland obiwan oblivion
obsidian october office ohyeah oksana oldman oldpassword oliver olivia omega onedirection onelove
onepiece online opendoor opensesame openup operator optimist oracle orange orion osaka oscar
osiris outlaw outsider overlord overwatch oxford p0015123 packard packers pacman paintball
pakistan paladin pallmall palmeiras palmtree pamela panama panasonic pancho panda pandora pantera
panther panthers panzer papamama papillon paradigm paradise paradox paris parlament parola parrot
pasadena pascal pass passat passion passphrase passport passwd passwor1 password passwords
passwort patches patricia patrick patriot patriots paul paula pauline pavement pavilion peaches
peanut peanuts pearljam pebbles pedro peekaboo peewee pegasus pencil penguin penguins pentium
pepper pepsi perfect1 pertinant peter peterpan peugeot phantom pharmacy phialpha philip philippe
philips phillies phillip philly phoenix photos photoshop pianoman picard picasso pickle pickles
piercing pierre piglet pikachu pineapple pinetree ping pingpong pink pinkfloyd pinnacle pioneer
pipeline piramida pirate pirates pitbull pitchers pizza pizzaman planet plastic platinum platypus
playball player playmate playstation playtime plumber plymouth poison poiuyt pokemon polaris
police polina polo polska pontiac pooh poohbear pookie pool6123 poop pooper poophead poopie
popcorn popeye poppy porkchop porsche portland portugal poseidon potato powder power preacher
precious predator prelude presario presiden primus prince princes princesa princess pringles
printer private privet prodigy psycho pufunga7782 pumpkin punisher punkin punkrock puppy puppydog
purple pussycat putter pyramid python qawsed qazwsx qazwsxedc qazxsw qazxswedc qwaszx qweasd
qweasd123 qwertz rabbit racecar racerx rachel racing radiohead ragnarok raider raiders rainbow
rainyday raistlin ralph rammstein random ranger rangers raptor rascal rasputin rasta rastaman
raven ravens raymond realmadrid reaper rebecca rebel rebels reckless redalert redbaron redbull
reddog reddwarf redhead redlight redman redneck redrum redskins redsox redwings reloaded remingto
renegade rescue revoluti revolver rfhfvtkmrf rfhfylfi rfhnjirf rfnthbyf rfntymrf rfvfcenhf
rhbcnbyf rhfcfdbwf rhfcjnrf rhjrjlbk rhtdtlrj ricardo riccardo richard rick ricky riffraff
rightnow ripper rita riverrat riversid rjhjktdf rjirfrgbde rjycnfynby roadking roadrunner roadster
rob robert roberto robin robinson roblox robotech robotics rocker rocket rockford rockhard
rocknroll rockon rocks rockstar rocky rodney rodriguez roger roland roller rolltide roma romashka
rommel ronald ronaldinho ronaldo rooster root rootbeer rose rosebud rosewood roxanne rubber
runescape runner rush rush2112 ruslan russell russia rusty rustydog ruth ryan sabine sabrina
sailboat sailing sailor saints sairam sakura salamander salasana sally salmon sam samantha sammy
sample samson samsung samurai sandiego sandman sandra sandrine sandy sapphire sara sarah sarang
saranghae saratoga sasha sassy sasuke saturday saturn sausages sayang scarface scarlet schalke
schatz scheisse scooby scoobydoo scooter scorpio scotland scott scotty scrabble scream screamer
scruffy scuba scully seahawks sean seattle sebastia sebastian secret secure security segblue2
seinfeld semperfi senators sentinel seoul sephiroth septembe september serega serenity sergbest
sergei sergey sergio sersolution server sesame seven sexygirl shadow shaggy shalom shaman shamrock
shanghai shannon shaolin shark sharks sharon shasta shaved shawn shazam sheepdog sheila shelby
sherlock shiloh shirley shithead shogun shooter shorty shotgun showme showtime sidekick siemens
sierra sigmachi silver simba simon simone simple simpsons singapor sinister sirius sithlord
skateboard skater skeeter skinhead skipper skippy skittles skorpion skyline skywalker slamdunk
slappy slapshot slayer sleepy slimshady slipknot slippery slowhand smackdown smashing smeghead
smiles smiley smirnoff smoke smoker smokey smokin smooth smoothie smudge snake snakes snapchat
sneakers snickers sniper snoopy snowball snowbird snowboard snowman snuggles sobaka soccer
socrates sofia softball softtail software soldier soleil solitude sommer sonic sonne sonyericsson
sooners sophia sophie sopranos soulmate southpark southpaw spaceman sparkles sparky spartak
spartan spartans speaker special1 specialk spectrum speedy spencer spider spiderman spidey spike
spirit spitfire splinter spongebob spooky spotify spring sprint sprinter sprite spunky spurs
spyder squirrel squirt srinivas stalker stallion stanislav stanley1 star starcraft stardust
starfire starfish stargate starship startrek starwars stealth steelers stefan stefanie stella
stephani stephanie stephen steve steven stewart stickman sticky stigmata stiletto stinger stingray
stinky stonecold stones storm stormtrooper stormy stranger stratfor strawberry streaming strider
strike striker stuart stud subaru sublime success sugar summer sundance sunday sunflower
sunflowers sunlight sunnyday sunrise sunset sunshine sunshines super superfly superman supernova
supersonic superstar superuser supervisor support surfer surfing surveyor survivor susan suzuki
svetlana sweetheart sweetness sweetpea sweets sweety swimming swordfish sydney sylveste sylvia
syncmaster syracuse sysadmin tacobell tacoma taekwondo talisman tamerlan tampabay tanker tardis
target tarheel tarheels tarzan tattoo tatyana taurus taylor tazmania teacher teamo technics techno
teddybear telefon telephon temp tempest temporary tennesse tennis tequiero tequila teresa
terminator terrapin terry test tester testing testpass texas thailand thanatos thanksgiving
thankyou thebeast thedoors theforce thegame thegreat theking theman theone theresa therock
thisisit thomas thompson thor thuglife thumper thunder thursday tiberius tickle ticklish tiffany
tiger tigercat tigers tigger tiktok tim timber timothy tina tinker tinkerbell titanic titanium
titans titleist tkbpfdtnf todd tokiohotel tokyo tom tomahawk tomcat tommy tommyboy tony toonarmy
topcat topdog topgun topper toriamos tornado toronto toshiba tottenham toulouse toyota tractor
tracy trance translator travel traveler travis treasure treefrog trevor trfnthbyf triangle tricky
trigger trinitron trinity triumph trixie trojan trojans trombone trooper trouble troy truck
trucker trucking trucks trueblue truelove trumpet trunks trustno trustno1 tuesday tunafish turbo
turkey turtle tweety twilight twister twitter tyler ukraine ultimate umbrella underdog undertaker
unicorn universa unknown unreal user username usmarine vacation vader vagabond valentina valentine
valera valerie valeriya valhalla valkyrie valorant vampire vancouve vanessa vanguard vanhalen
vanilla vasilisa vauxhall vectra vegeta velvet vendetta verbatim veritas veronica veronika vertigo
vette vfhufhbnf vfitymrf vfntvfnbrf vfrcbvrf vicky victor victoria victory vietnam viewsonic
viking vikings viktor viktoria viktoriya vincent violet violetta viper vipergts virginia vision
vjqgfhjkm vkontakte vladimir vladislav voldemort volleyba voodoo voyager vqsablpzla vsjasnel12
vulcan wachtwoord walnut walter wanda wanderer warcraft wareagle warhammer warlock warren warrior
warriors waterboy waterfal waterloo watermelon wayne weare138 weasel webhompas webmaster wednesday
weezer welcome wendy werewolf wesley westham westside westwood whatever whatsapp wheels whiskers
whiskey whistler whiteout whitesox whitney whocares whynot wicked wildbill wildcard wildcat
wildcats wildfire wildwood william williams willow windmill windows windows10 windsurf winner
winston winter wisdom wishbone wizard woaini woaini1314 woaini520 wolf wolfgang wolfman wolfpack
wolverine wolves wombat wonderboy wonderfu wonderful woodland woody wookie work wp2003wp wrangler
wrestlin wrinkle1 xanadu xavier xbox xfiles yamaha yamahar1 yankee yankees yankees1 yeahbaby
yellow yfcntymrf yjdsqgfhjkm yogibear yomama yosemite yourmom yourname youtube ytrewq yvonne
zachary zanzibar zenit zeppelin zerocool zildjian zipper zombie zorro zxasqw12 zxcv4321
`
    .trim()
    .split(/\s+/),
)
