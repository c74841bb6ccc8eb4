import { toIndexTerm } from './to-index-term.js';

export interface Concepts {
  /** In a text: "guitar" belongs to the concept of instruments. */
  readonly ofText: ReadonlyMap<string, readonly string[]>;
  /** In a query: "instrument" searches for the concept, "guitar" does not. */
  readonly ofQuery: ReadonlyMap<string, readonly string[]>;
}

/**
 * Everyday English in which a query's word covers the words of its answers, written manually from common knowledge, so
 * that no model is needed. A line is one concept: "asking words: words that answer", or "= words that mean the same"; a
 * line that begins with a space continues the one before.
 */
const TABLE = `
# People, animals, home
family relative: mother mom mum father dad parent brother sister sibling son daughter child kid baby toddler wife
  husband spouse grandmother grandma grandfather grandpa grandparent uncle aunt cousin nephew niece twin
= mother mom mum mama mommy
= father dad daddy papa
= grandmother grandma granny nana
= grandfather grandpa granddad
parent: mother mom mum father dad
sibling: brother sister twin
child kid: son daughter baby toddler teenager boy girl newborn
spouse partner: husband wife fiance fiancee girlfriend boyfriend
= marry marriage wedding bride groom engagement engaged honeymoon
relationship dating romantic status: girlfriend boyfriend partner date crush marry married divorce single breakup
  engaged husband wife
= pregnant pregnancy birth newborn
= die death funeral grief mourn
= friend buddy pal
colleague coworker: boss manager teammate supervisor
= boss manager supervisor
= adopt adoption foster orphan
pet animal: dog cat puppy pup kitten rabbit bunny hamster turtle tortoise parrot bird fish lizard snake horse pony
  gecko ferret goldfish
= dog puppy pup doggo doggy
dog: labrador retriever shepherd poodle bulldog terrier beagle husky collie chihuahua mutt corgi dachshund spaniel
cat: siamese persian tabby
= cat kitten kitty
animal wildlife: deer bear wolf fox elephant lion tiger whale dolphin eagle owl squirrel monkey penguin shark insect
  spider
bird: parrot eagle owl hawk sparrow duck penguin finch
breed: labrador retriever shepherd poodle bulldog terrier beagle husky collie chihuahua mutt siamese corgi dachshund
  mix
home house apartment: flat condo rent lease mortgage neighborhood room kitchen backyard garage bedroom
= home house apartment flat condo
= move relocate
live reside residence: move relocate settle reside hometown apartment house
furniture: table chair sofa couch desk bed shelf lamp bookcase
# Places, travel, nature
country nation abroad: america usa canada mexico brazil argentina chile peru colombia england britain uk scotland
  ireland wales france germany spain portugal italy switzerland austria netherlands belgium denmark sweden norway
  finland iceland poland greece turkey russia ukraine egypt morocco kenya nigeria ghana africa israel india china
  japan korea thailand vietnam indonesia malaysia singapore philippines australia zealand europe asia
city town: london paris berlin munich hamburg vienna zurich rome milan venice florence madrid barcelona lisbon porto
  amsterdam brussels copenhagen stockholm oslo helsinki dublin edinburgh prague warsaw budapest athens istanbul
  moscow cairo dubai mumbai delhi bangalore tokyo kyoto osaka seoul beijing shanghai bangkok singapore sydney
  melbourne toronto vancouver montreal boston chicago seattle houston dallas austin denver miami atlanta
  philadelphia portland phoenix detroit orlando vegas york angeles francisco diego
state: alabama alaska arizona arkansas california colorado connecticut delaware florida georgia hawaii idaho
  illinois indiana iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota mississippi
  missouri montana nebraska nevada ohio oklahoma oregon pennsylvania tennessee texas utah vermont virginia
  washington wisconsin wyoming
= travel trip vacation journey tour getaway roadtrip cruise
place location: park beach museum mountain lake forest cafe restaurant hotel island country city town village
transport vehicle: car truck bus train plane bike bicycle motorcycle boat scooter subway taxi van ferry
car vehicle drive: toyota honda ford tesla bmw audi mercedes volkswagen chevrolet nissan hyundai subaru jeep mazda
  volvo ferrari porsche sedan suv truck van
= bike bicycle cycle
nature outdoors: mountain lake forest river beach ocean waterfall canyon desert island sunset wood trail park valley
outdoor outdoors: hike camp kayak climb fish surf ski snowboard swim picnic run jog canoe raft trail backpack
= hike trek trail
= sea ocean beach coast shore
= forest wood
weather: rain snow storm sunny wind cloudy heat temperature
# Food, health, feelings
food eat dish meal cuisine: pizza pasta burger salad soup sandwich rice noodle sushi taco curry steak chicken salmon
  cheese bread egg lasagna stew grill barbecue breakfast lunch dinner recipe snack
drink beverage: coffee tea juice water soda wine beer cocktail smoothie milk lemonade espresso whiskey
dessert sweet treat: cake cookie pie icecream chocolate brownie tart pudding candy cupcake muffin pastry donut cream
fruit: apple banana orange berry strawberry blueberry grape mango peach cherry lemon pineapple melon
vegetable: carrot broccoli spinach potato tomato pepper onion lettuce kale cucumber bean veggie salad
snack: chip popcorn nut cookie candy fruit bar chocolate granola
meat: beef chicken pork steak lamb bacon sausage turkey ham
= vegetable veggie
restaurant: cafe diner bistro pub bar pizzeria brunch
= cook bake recipe kitchen chef
diet: vegan vegetarian gluten keto paleo lactose dairy calorie carb protein fasting sugar nutrition
= allergy allergic intolerance intolerant
health illness disease condition medical: ill sick flu fever cancer diabetes asthma migraine headache pain injury
  surgery hospital doctor diagnose anxiety depression arthritis cholesterol infection allergy stomachache heart
digestive stomach: stomachache nausea ulcer reflux indigestion
injury hurt injure: sprain fracture ankle wrist knee bruise accident twist tear wound ligament
doctor medical: nurse surgeon dentist physician therapist clinic hospital checkup appointment specialist
= doctor physician doc
medication medicine: pill tablet ibuprofen aspirin antibiotic insulin prescription vaccine dose
exercise fitness workout training: gym run jog yoga pilates swim cycle lift weight cardio stretch marathon treadmill
  squat
sport athletic: soccer football basketball baseball tennis golf hockey volleyball rugby cricket box wrestle skate
  ski surf marathon swim climb gymnastics badminton martial karate
= sick ill illness
mental therapy wellbeing: counsel therapist stress anxiety depression mindful meditation psychologist selfcare
= therapy therapist counsel counselor psychologist
stress relax destress cope relief unwind: yoga meditate walk bath music nature breath paint journal massage
emotion feeling mood: happy sad angry afraid scared proud excited nervous anxious grateful lonely frustrated upset
  thrilled overwhelmed
= fear afraid scared scary phobia terrified
= happy glad joy delight thrilled
= nervous anxious worried anxiety worry
# Work, learning, money
job career profession occupation work employment: engineer teacher nurse doctor lawyer developer programmer
  designer writer artist chef manager accountant consultant scientist actor photographer pharmacist radiographer
  paramedic electrician plumber carpenter mechanic architect librarian journalist translator pilot driver waiter
  farmer banker analyst therapist researcher salesman barista intern company office firm hire promote employer
= job position role career profession occupation
= quit resign unemployed layoff fired
= salary raise wage pay
= company firm startup business employer
business entrepreneur: startup shop store company venture client customer brand launch
education study school academic: university college degree class course major exam graduate student semester phd
  master bachelor professor lecture thesis campus scholarship
= school university college
= class course lesson workshop
field subject major: math physics biology chemistry history psychology economics law medicine engineering literature
  philosophy sociology accounting nursing
language: english spanish french german italian portuguese japanese chinese mandarin korean russian arabic dutch
  swedish latin hindi
software programming: python javascript typescript java rust golang ruby php swift kotlin code app website database
  docker kubernetes react postgres api
computer device gadget electronics: laptop phone smartphone tablet watch smartwatch camera headphone monitor
  keyboard printer console drone
= phone smartphone mobile iphone android
volunteer charity community: donate fundraiser shelter nonprofit homeless foodbank cause donation
= volunteer charity donate donation fundraiser
finance money financial cost budget: salary rent loan debt saving invest mortgage tax bill price dollar euro stock
  insurance pension
= price cost dollar expensive cheap euro
goal plan dream ambition aspiration: hope aim wish intend want someday
= plan intend upcoming
achievement accomplishment success milestone: win award prize medal trophy publish complete graduate promote record
competition contest tournament: win champion race match final tourney league medal
= award prize trophy medal
= competition contest tournament tourney championship
# Leisure, things
hobby interest pastime leisure: paint draw read write hike cook garden photography knit dance sing guitar piano game
  craft fish yoga bake sculpt collect
art artwork creative: paint draw sketch sculpture pottery photography mural canvas watercolor portrait exhibit
  gallery
= paint painting painter watercolor canvas
= photo photograph photography picture pic image
craft handmade: pottery clay knit crochet sew woodwork quilt ceramic candle origami
pottery ceramic: clay bowl cup vase mug plate pot
= draw sketch
music musical: song band concert album guitar piano singer melody orchestra playlist festival violin
instrument: guitar piano violin clarinet drum flute cello saxophone trumpet keyboard bass ukulele harp
genre: jazz rock pop classical blues rap country fantasy thriller mystery romance comedy drama horror scifi
musician artist band: singer concert album perform song group
= concert gig performance show
= song music tune
dance: ballet salsa tango ballroom hiphop waltz contemporary
= book novel
book read literature: novel author story fiction biography poem fantasy memoir bestseller
= write writer author
writing: poem poetry story novel screenplay script blog journal essay article diary
= movie film cinema
movie film watch: documentary actor director thriller comedy scene drama netflix screenplay scifi
television series: episode season netflix drama sitcom
game gaming play: chess xbox playstation nintendo switch rpg console puzzle poker dungeon minecraft quest
= game gaming gamer
garden plant: flower tree seed rose tulip sunflower vegetable soil herb basil cactus succulent
flower: rose tulip sunflower daisy lily orchid daffodil lavender
color colour: red blue green yellow purple orange pink black white brown grey gray
clothes clothing wear outfit: shirt dress shoe jacket hat jeans sweater coat skirt boot sneaker scarf costume
jewelry jewellery: necklace ring bracelet earring pendant watch
= gift present
# Occasions, verbs, everything else
holiday celebration occasion: christmas thanksgiving easter halloween birthday anniversary party festival hanukkah
  diwali eid
= celebrate celebration party
event: concert festival party conference meeting workshop parade exhibition ceremony wedding fair meetup show
  gathering
religion faith religious spiritual: church god pray bible christian muslim jewish buddhist hindu mosque temple
  synagogue catholic
identity gender orientation: transgender trans nonbinary gay lesbian queer bisexual lgbtq woman man
politics political: election vote party democrat republican conservative liberal president government campaign
nationality origin ethnic: american british german french italian spanish mexican chinese japanese indian russian
  swedish irish korean canadian
media platform online: instagram facebook twitter tiktok youtube blog vlog podcast linkedin reddit website
season: spring summer autumn fall winter
= autumn fall
= recommend suggest suggestion recommendation advice tip advise
= learn practice lesson
= teach tutor teacher
= buy purchase order
= start begin launch
= finish complete
= help support assist
= create make build
= accident crash
= talk chat discuss conversation speak
= like love enjoy favorite prefer passion
= hate dislike
= problem issue trouble challenge struggle difficulty setback
= fix repair
= inspire motivate motivation inspiration encourage
= often frequent regularly daily weekly
= injure injury hurt wound
= calm relax soothe peaceful
= big huge large
= important significant meaningful
= visit trip
= picture drawing
= kid child
= girl daughter
= boy son
= group club team community
= store shop
= type kind sort
= fun enjoy
= participate join attend
= win won champion
= cancel postpone
= arrive reach
= sleep nap insomnia
= remember remind memory memorable
= change adjust
= beautiful gorgeous stunning
= neighbor neighborhood
= deadline due
= ship deliver release
= meeting appointment schedule
= bug error crash
= laptop computer pc
= exam test
= flight plane fly
= hotel hostel airbnb resort
= birthday born
= deaf blind disability
= tattoo piercing
= promise swear
= earn income
= museum gallery exhibit exhibition
`;

/** Its terms are marked, so that they never equal a word of a text. */
export const CONCEPTS: Concepts = parseConcepts(TABLE);

function parseConcepts(table: string): Concepts {
  const ofText = new Map<string, string[]>();
  const ofQuery = new Map<string, string[]>();
  const lines = table.replaceAll('\n ', '').trim().split('\n');
  for (const line of lines.filter((text) => !text.startsWith('#'))) {
    const [asking, answering] = line.startsWith('=') ? [line.slice(1), line.slice(1)] : line.split(':');
    const [askingWords, answeringWords] = [asking!.trim().split(/\s+/), answering!.trim().split(/\s+/)];
    const concept = `${line.startsWith('=') ? '=' : '~'}${askingWords.join('-')}`;
    for (const word of answeringWords) addConcept(ofText, toIndexTerm(word), concept);
    for (const word of askingWords) addConcept(ofQuery, toIndexTerm(word), concept);
  }
  return { ofText, ofQuery };
}

function addConcept(concepts: Map<string, string[]>, term: string, concept: string): void {
  const known = concepts.get(term);
  if (known === undefined) concepts.set(term, [concept]);
  else if (!known.includes(concept)) known.push(concept);
}
