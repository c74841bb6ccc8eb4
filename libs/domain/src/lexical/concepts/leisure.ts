export const LEISURE = `
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
`;
