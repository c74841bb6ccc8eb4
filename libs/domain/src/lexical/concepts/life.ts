export const LIFE = `
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
