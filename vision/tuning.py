"""Tuned values of the ink, path and mark readers, each with what it was measured on.

Here stands what was turned until photos were read best; constants of nature, of pens and of sampling stand
where they are used. Scores are log-likelihood ratios in nats. Lengths that belong to the drawing are shares
of a corridor's width or of an icon (`vision.path.style`), or distances beyond their rims; the open deck
measures 6.3 mm and 7.5 mm.

What they were measured on:

* unless something else is said: set on the tuning split of `samples/` (compositor) while the readers were
  written; which seeds was not written down;
* [A]: 299 photos of the tuning split, compositor, seeds 2000 to 2299: path and counts exact, how often sure,
  how often sure and wrong (never).
"""

from __future__ import annotations

# --- Drawing style --------------------------------------------------------------------------------
#: The middle of a line keeps this far inside its corridor (mm).
WALL_MM = 0.15
#: A corridor's width and an icon's extent as shares of a card's shorter side, where neither the catalogue nor
#: its art tells: the open deck's.
USUAL_CORRIDOR, USUAL_ICON = 0.10, 0.12

# --- Ink ------------------------------------------------------------------------------------------
#: Log-likelihood ratios are cut off here: no single pixel is proof.
EVIDENCE_LIMIT = 4.0
#: Registration is good to about this (mm); printed edges are doubted in proportion.
REGISTRATION_MM = 0.12
#: A film covers at least this share of the card's colour; a wiped line's remains cover less.
LEAST_COVER = 0.5
#: The film's own unevenness, as a share of the contrast between ink and card.
FILM_SPREAD = 0.12
#: Off the line from card to ink colour by more than this (picture values) is neither of the two.
COLOUR_TOLERANCE = 0.11
#: Lines, rings and strikes that meet make no disc of this diameter (mm); dice, fingers and mugs do.
THING_MM = 4.4
#: What a thing covers reaches this much further than what it changed (mm), all round it.
THING_RIM_MM = 2.0
#: What changed beside a thing and lets in a disc of this diameter (mm) is its shadow, no line.
SHADOW_MM = 2.8
#: A hole of no more than this (mm2) in a thing is the thing.
HOLE_MM2 = 60.0
#: Pieces of things nearer to each other than this (mm) are one.
THING_GAP_MM = 7.0
#: A thing goes on where the card looks unlike it by less than the first (picture values), and more like it
#: than like the blank card by the second; its colour is that within so many mm, what goes on is no narrower
#: than the fourth (mm), and white is glare from the last on.
THING_UNLIKE, THING_NEARER, THING_REACH_MM, THING_GROWN_MM, THING_WHITE = 0.10, 0.03, 12.0, 3.0, 0.8
#: Light that is added over so many mm, as picture values: from the first on a line pales, from the second on
#: none would show; beyond this share of the way nothing is seen there.
WASH_MM, WASHED_OUT, VEILED = 9.0, (0.15, 0.4), 0.7
#: Less contrast than this many deviations between ink and card: nothing could be seen there.
LEAST_CONTRAST = 2.0
#: A pixel changed by the pen differs from the blank card by this many deviations, and by this (picture
#: values).
CHANGED_DEVIATIONS, CHANGED_LEAST = 5.0, 0.12
#: What is darker than black by this (picture values) tells no pen: of 400 photos of `tuning-evening` one has
#: such a pen, on a card of which a hand left a corner, and its line on the next card was taken for a ghost.
MISJUDGED_LIGHT = 0.1
#: Pixels of one pen differ in colour by less than this (picture values); its colour is sought where most lie
#: within the other, which was set on drawn test cards and checked on the photos that ship.
PEN_SPREAD, PEN_CORE = 0.22, 0.12
#: Ink darker than the card is taken for the pen's unless it covers less than this (mm2) and what is lighter
#: covers this many times as much, and that of the third (mm2): a light pen on dark cards. Set on drawn
#: test cards; orange and red on dark floors are light, too: 92 of 276 photos of `tuning-evening` (six decks)
#: have a light pen or a thin one, and with light ones as they are seen 60 of their paths are exact, not 58,
#: and 2 are sure and wrong as before.
LEAST_DARK_MM2, LIGHT_PEN_RATIO, LEAST_LIGHT_MM2 = 60.0, 3.0, 6.0
#: Ink beside a thing may be its shadow, and tells of no pen where lines of so much (mm2) are elsewhere. Of 50
#: hard and wild photos with a hand, finger or pen over the path (`tuning-evening`) two show a faint line at
#: all only so; the others are read as before.
APART_MM2 = 8.0
#: Less ink than this (mm2) is none.
LEAST_INK_MM2 = 0.8
#: A film that takes less of the light than the first, in the channel in which it takes most, may be all that
#: a wipe left; one of less than the second is no full one, and its pen's colour that of a full one.
THIN_FILM, FULL_FILM = 0.4, 0.6
#: A further pen: ink (mm2) that no pen before it explains, off their films by more than this (picture
#: values), of one colour in this share, taking this much of the light, in lines of this length (mm).
LEAST_FURTHER_MM2, FURTHER_UNLIKE, FURTHER_ALIKE, FURTHER_FILM, FURTHER_LENGTH_MM = (
    10.0,
    0.15,
    0.75,
    0.35,
    2.5,
)
#: Ink that is off the card's colour by more than this (picture values), light and shade apart, has a colour
#: of its own: a further pen may cover a dark floor instead of taking its light. Of 54 photos (all with two
#: pens, and others with glare or things, `tuning-evening`) three more have such a pen, each drawn.
COLOURED = 0.2
#: Nearer to a thing than this (mm) ink tells no further pen: a hand's or a pen's shadow has edges like lines.
#: Of 470 photos of `tuning-evening` 17 with things had further pens, 12 of them shadows.
FURTHER_CLEAR_MM = 12.0
#: Where a pen's colour differs from the card's by less (picture values) no line would show anyway.
SHOWS_CONTRAST = 0.25

# --- Known pens ---
#: What a known pen's film varies by, so many standard deviations below the usual one, is still a line of it;
#: as a share of the usual film it is no less than the first of these and need be no more than the second.
KNOWN_SPREADS, KNOWN_LEAST_COVER = 2.0, (0.4, 0.65)
#: The plainest lines show at least this share of a known pen's film.
KNOWN_LINE_FILM = 0.8
#: What is left of the noise of a pixel where a pen's tip is taken together; so many deviations of it between
#: a known pen's film and the card are the least by which anything could be seen.
KNOWN_NOISE, KNOWN_LEAST_CONTRAST = 0.5, 1.2
#: A known pen's film may be off its hue by this share of what it takes: the tangent of 20 degrees.
KNOWN_HUE = 0.36
#: Where so much (mm2) is drawn in lines that take more of the light than the second, in the channel in which
#: they take most, the photo's own pens are plain enough without a known one: 142 mm2 and more on six of eight
#: photos of fresh pens (95 and 9 on the others), none on 13 of dried-out ones (`tuning-evening`).
PLAIN_MM2, PLAIN_FILM = 40.0, 0.5
#: So much of a line (mm) tells whether a known pen drew it now.
KNOWN_TOLD_MM = 2.0
#: Another pen's line: its hue is off the known one's by more than the first (degrees), and by more than the
#: third beyond most lines of the photo, but no more than the second need be; so many points of it show that
#: it takes so much light (length of what is taken in three channels). The hues of eight photos' own lines
#: were off by 2 to 26 degrees as a whole, and single links by up to 16 more; black and blue are 25 apart,
#: black and brown 35, green and orange 50.
FOREIGN_DEG, FOREIGN_MORE_DEG, FOREIGN_STATIONS, FOREIGN_FILM = (24.0, 38.0), 16.0, 10, 0.08
#: Where the card gives back less than this (picture values) of the light that it takes no line of it shows.
KNOWN_SHOWS = 0.3

# --- Several groups' pens ---
# Set on 8 photos of `tuning-cooperative`.
#: Lines are cut into squares of this side (mm) that hold so much ink (mm2) of a film that takes this much of
#: the light, on floors no darker than this (picture values).
GROUP_SQUARE_MM, LEAST_SQUARE_MM2, GROUP_FILM, GROUP_GROUND = 3.0, 1.2, 0.22, 0.3
#: How far (degrees) squares of one pen point from each other where most of them lie, and at most; a further
#: pen points at least this far elsewhere. From the last on a square is no pen's.
GROUP_CORE_DEG, GROUP_SPREAD_DEG, GROUP_APART_DEG, GROUP_FAR_DEG = 5.0, 12.0, 12.0, 25.0
#: Two pens no farther (degrees) from each other are one where between them is this share of what is about the
#: lesser of them.
GROUP_ONE_DEG, GROUP_VALLEY = 24.0, 0.45
#: A pen's full film is that of so many of its pixels.
GROUP_FULLEST = 0.6
#: A pen has drawn so much (mm2) on the table, and so much on a card where it is looked for.
LEAST_GROUP_MM2, LEAST_ON_CARD_MM2 = 14.0, 2.0
#: A pen has drawn so much (mm2) on some card: what was no pen's comes to 20 on its fullest, the shortest of
#: 100 lines to 23.
LEAST_ON_FULLEST_MM2 = 21.0
#: A line leads on to the next card where so much of it (mm2) is within this distance (mm) of the way there.
WAY_OUT_MM, WAY_OUT_MM2 = 5.0, 2.5
#: Where another pen drew, what speaks for that one speaks against this one with this share.
OTHER_PEN = 0.4
#: A ring is a pen's own where its ink shows along this share of it.
OWN_RING = 0.45
#: Whose pens are by their colours, unless they may be others' by no more than this (degrees in all); what a
#: group's pen is off that has no colour told.
OWNER_DEG, ANY_COLOUR_DEG = 3.5, 25.0
#: A group that has no pen and whose colour is off a pen by no more than this beyond its owner's may share it:
#: inks of black and brown, and of one colour, are found as one.
SHARED_DEG = 9.0
#: What share of a pen's chroma a photo may keep, what it usually keeps, and how much (degrees) it counts
#: that a pen keeps all of it more or less than the others: of 100 pens (`tuning-cooperative`) 0.35 to 1.1,
#: and with it told they are 2 degrees from their true colours at the median instead of 8.
CHROMA_KEPT, USUAL_CHROMA, CHROMA_DEG = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0), 0.75, 20.0
#: A stroke's own colour is told by so much ink (mm2) and more.
HUE_MM2 = 8.0
#: A stroke is in another group's colour, or a shadow's, that it is nearer to than its own by so much
#: (degrees), and that so much likelier by each (nats). Of strokes of a pen that was taken for another's two
#: were nearer to their own group's colour by 2.5 and 2.9, shadows to grey by 5 and 23 (19 photos of
#: `tuning-cooperative`).
OTHERS_DEG, SHADOW_DEG, HUE_NATS = 2.0, 2.0, 0.4
#: A shadow is read as no more than so many links; a stroke is along another one that has this share of its
#: links. That such a stroke is none is so much likelier (nats) at least.
SHADOW_LINKS, ALONG_SHARE, STRAY_NATS = 8, 0.6, 1.6
#: Something stands on a place where so much of what is within this distance (mm) of it cannot be seen.
STANDING_MM, STANDING_HIDDEN = 5.0, 0.5
#: That a line ends elsewhere under what stands on its end is so much less likely (nats).
STANDING_BEHIND = 1.5
#: A line may lead on by a way along which this share is inked, which is so much less likely (nats): 0.35
#: where the first link of a line was lost, 0 along ways that nobody walked (a photo of `tuning-cooperative`).
THIN_COVERAGE, THIN_BEHIND = 0.25, 1.0
#: A pen within the first (degrees) of a colour that is told may be of that colour; farther from its group's
#: than the second, it is nobody's, and asked about.
TOLD_COLOUR_DEG, NOBODYS_DEG = 16.0, 26.0
#: A pen is of a colour that is so much (degrees) farther than the nearest where that is another pen's.
TOLD_FARTHER_DEG = 8.0

# --- Several photos of one table ---
#: A photo lies on another's table by so many cards that both show (a photo of fewer: by all of them), to so
#: many millimetres.
LEAST_SHARED, SHARED_MM = 2, 6.0

# --- Ghosts ---------------------------------------------------------------------------------------
# Shares of a full film. [B]: 56 photos of the tuning split with wiped lines of 10 to 35 % (of light, and of
# picture values), and without: of 340 true links one lay under 0.44 of the plainest lines, of 40 wiped ones
# none over 0.38.
#: The plainest lines are this quantile of all that is inked; their film is at least the first of these, and
#: is the second where no pen left a full one: of 18 such photos (`tuning-evening`) 9 paths were read at 0.8,
#: 14 are at 0.65 and no more at 0.55; what 20 % of a wiped line alone leaves is none.
LINE_FILM_QUANTILE, LINE_FILM = 0.75, (0.6, 0.65)
#: As shares of the plainest lines: a line of less than the first is an old one, wiped; of more than the
#: second, this round's. Between them it is asked.
GHOST, FRESH = 0.39, 0.46
#: What walking a wiped line costs (nats).
GHOST_COST = 8.0
#: Where all pens are thin and the line is lost on its way, pens are taken to leave these shares of a usual
#: film, one after the other, as long as that makes the line longer by this factor. Of 22 photos in which all
#: are (`tuning-evening`) 14 paths are exact instead of 12; were all of them read so, none would be lost.
FAINTER, LONGER = (0.6, 0.3), 1.15
#: That the whole path is an old one, where all pens of a photo are thin but not as thin as that and no ink is
#: left over: so much less likely (nats) than that a pen ran dry. By reason: a player photographs what he
#: drew. None of 20 such paths (`tuning-evening`) was an old one.
OLD_PATH_BEHIND = 4.0
#: So many finds that are circled on the path, and none beside it, speak for it as a whole as plain ink does.
BEARING_MARKS = 3

# --- Link evidence --------------------------------------------------------------------------------
#: Cost of a sideways move by 0, 1, 2, 3 offsets from one station to the next (three are 56 degrees).
SIDEWAYS_COST = (0.0, 0.1, 0.5, 1.6)
#: What one station can say for and against a line; a blank station says more than an inked one.
STATION_FOR, STATION_AGAINST = 2.0, 4.0
#: Stations half a millimetre apart are far from independent.
INDEPENDENCE = 0.35
#: Distance (corridor widths) from a plain place at which a line must have come to the corridor it takes.
CORNER = 0.413
#: Rings and strikes round a find reach about this far beyond the icon's rim (mm); what stations say there
#: counts this share.
MARK_BEYOND_MM, MARK_WEIGHT = 1.85, 0.35
#: The core of a link counts as at least this much, however short it is (mm).
LEAST_CORE_MM = 3.0
#: Lines keep to the middle: beyond this share of their reach each millimetre costs this much at a station.
ASIDE_SHARE, ASIDE_COST = 0.6, 0.8
#: Evidence for a line that the floor beside it shows too counts less by this share.
SPREAD_PENALTY = 0.8
#: A line has no blank stretch: the worst window of this length (mm) decides, with this much grace.
WINDOW_MM, WINDOW_GRACE = 8.0, 4.0
#: From this score on a link is drawn, and its width counts.
SURELY_DRAWN = 6.0
#: Where a room lies over an underground corridor, ink is the room's: it speaks for the corridor with this
#: share.
UNDER_ROOM = 0.15
#: How far into a room (corridor widths) the line is looked for behind a door.
BEHIND_DOOR = 0.64

#: Ink that is wider than a line by more than the first (mm), and hardly speaks against a third line (nats),
#: is a false way, scribbled over, which speaks against a walk by the last (nats). Of 250 photos of
#: `tuning-evening` 14 links beside the path are wider by more than 1.6 mm, false ways and shadows of hands;
#: of all links walked one is, along which three lines run, one under a finger by 1.4, and the next by 1.1.
#: No more than the ends of a path weigh: a smear at its beginning looks so, too.
SCRIBBLED_MM, SCRIBBLED_THIRD, SCRIBBLED_COST = 1.5, 5.0, 2.0

# --- Map matching ---------------------------------------------------------------------------------
#: What an end of a stroke costs by where it lies. Lines begin and end on the outer edge, on things that stop
#: or carry off, and in rooms; in the middle of nowhere only when the ink insists.
END_COST = {
    "outer": 0.5,
    "gate": 2.0,
    "stop": 2.0,
    "find": 4.0,
    "end": 2.0,
    "room": 3.0,
    "opening": 4.5,
    "place": 5.0,
    "room_find": 6.0,
}
#: What each end of one line costs beyond two, but at gates. Of 286 drawings of `tuning-evening` (six decks)
#: 33 have two strokes and more, and two of these part elsewhere than at gates; of 195 hard and wild photos
#: 12 were read so, 11 of them wrongly. With it four more of 152 are read as drawn, and none less.
FURTHER_END_COST = 5.0
#: What a millimetre that nobody can see costs (nats): of two ways under a pen, the shorter one.
UNSEEN_COST = 0.03
#: Who circled a find came by: what speaks (nats) for the ways that something hides to one to which no line
#: plainly comes, and for those from a door into its room. Two paths more are exact of 470 photos of
#: `tuning-evening`, and two more count right.
CIRCLED_WAY, CIRCLED_ROOM = 3.0, 1.5
#: What walking a link costs that leaves no ink of its own.
FALL_COST, CROSSING_COST, ROOM_FIND_COST = 0.6, 0.1, 0.8
#: A link is seldom walked twice; the ink must show two lines.
TWICE_COST, TWICE_UNSEEN_COST, DOOR_TWICE_COST = 4.0, 2.0, 5.0
#: What it costs to walk a link to its end and straight back: few do, and a false way that was scribbled over,
#: a mark or a hand's edge looks so. And where there is a find at its end, or one that is circled.
TURN_BACK_COST, FETCH_COST, CIRCLED_FETCH_COST = 10.0, 4.0, 1.0
#: Lines are even to about 0.3 mm; two laid on each other are mostly wider by more. Nats per mm beyond, and
#: the bounds.
WIDER_MM, WIDER_GAIN = 0.42, 14.0
OVERLAID_LEAST, OVERLAID_MOST = -6.0, 4.0

# --- Walks and room lines -------------------------------------------------------------------------
#: Heading of a line near a place is taken over this stretch (corridor widths).
HEADING = (0.16, 0.79)
#: A line ends in a room rather than running on over this much cost of blank card.
ROOM_END_COST = 9.0
#: What it costs beyond that when two lines end in one room; and a millimetre of a room that glare or a thing
#: hides.
TWO_ENDS_COST, HIDDEN_COST = 12.0, 0.6
#: Blank card allowed between a line's end in a room and the find that it ends on, as a cost.
CARRIER_REACH_COST = 5.0
#: What speaks against a find as the one that carries off: its rank among those, and that it is no gate. Three
#: of 24 landings in rooms were told wrongly by length alone (`tuning-evening` 800 to 839 on a third deck).
CARRIER_RANK_COST, NO_GATE_COST = 2.0, 3.0
#: Cost of a millimetre on full ink and on blank card, and of a turn by one heading (22.5 degrees).
INK_COST, BLANK_COST, TURN_COST = 0.15, 3.0, 0.35

# --- Rock lines -----------------------------------------------------------------------------------
#: A line straight through rock from one place to another is no longer than the first (corridor widths; the
#: samples draw up to 3.8), inked in the second share of what is seen of it, and the rock beside it is not:
#: less than the third of a band of 4 mm.
ROCK_LINE, ROCK_INKED, ROCK_BLACK = 4.0, 0.95, 0.75
#: Such a line is looked for instead of a way along which hardly any ink shows: that speaks against it by this
#: (nats). Of 276 photos of `tuning-evening` (kept ink maps) two more paths are exact, and none less.
ROCK_INSTEAD = 1.5

# --- Path and doubts ------------------------------------------------------------------------------
#: A link whose score is nearer to zero than this may have been read wrongly, as where lines end counts,
#: too; its other reading is worked out. On [A] 12 in place of 6 knew one more doubt that was right.
WEAK_SCORE = 12.0
#: Hidden links: with less than this share visible the ink cannot say no.
LEAST_SEEN = 0.6
#: An end of the path to which no ink leads for this long (mm) is a guess: other readings of it are behind by
#: no more than the second (nats). From the third on (nats) ink leads along a link. Of 26 such photos (420 of
#: `tuning-evening`) 11 are misread; of 4 with less none.
GUESSED_MM, GUESSED_BEHIND, GUESSED_SCORE = 12.0, 1.0, 0.5
#: An end of the path on the outer edge is covered where less than this share of the cards can be seen within
#: both distances (mm), close by and a hand's breadth round. Of 300 photos (`tuning-evening` 0 to 59, 600 to
#: 719, 900 to 1019) 7 have such an end, 5 of them misread; 3 right ones have one under a pen alone.
COVERED_END, COVERED_END_MM = 0.4, (6.0, 30.0)
#: An end within the dungeon is hidden where less than this share can be seen within the second (mm); that the
#: path goes on from there is behind by no more than the third (nats).
HIDDEN_END, HIDDEN_END_MM, HIDDEN_END_BEHIND = 0.3, 3.0, 2.0
#: What it costs that a further stroke begins after one that left the dungeon: against the rules, but drawn;
#: and that it begins on the outer edge after one that did not, or within after one that did.
REENTERED = 0.4
#: A pairing of lines at a junction or in a room won by less than this is asked.
PAIRING_DOUBT, ROOM_PAIRING_DOUBT = 1.5, 5.0
#: Of two ends within the dungeon a line begins sooner where nothing holds it: so did all seven of 744 paths
#: (`tuning-evening`) that have no end on the outer edge.
BEGUN_LATER = {"find": 1, "door": 2, "room": 2, "room_find": 2}
#: Strokes shorter than this (corridor widths) are dots, overshoots or marks beside the path.
LEAST_STROKE = 0.95
#: A further stroke is read when its links together are this likely, or when it comes to a gate.
STROKE_WORTH = 9.0
#: A shorter one is read, too, where it is this likely, this share of it can be seen, and blank card beside it
#: speaks against a second line by this (nats). Of 250 photos of `tuning-evening` two have such strokes, both
#: drawn; of three others as likely and not drawn none has blank card beside it.
PLAIN_STROKE, PLAIN_SEEN, PLAIN_BESIDE = 6.0, 0.9, 5.0

# --- Unexplained ink ------------------------------------------------------------------------------
#: Along walls a corridor's floor is too dark to tell ink from shade (mm, on either side).
SHADE_MM = 0.95
#: A ring and a strike through it keep within this distance beyond the rim of a find's icon (mm); an icon's
#: own errors within the other.
RING_BEYOND_MM, ICON_BEYOND_MM = 2.45, 0.85
#: Evidence that counts as ink, and the length (corridor widths) from which a leftover is no speck.
SURE_INK, LEAST_LEFTOVER = 1.5, 0.79
#: So much ink (mm2) within this share of a gate's icon is a dot. Of 48 gates beside the path
#: (`tuning-evening` 0 to 41, shipped photos) 45 have less than 0.1 mm2, one 0.75, one a line's 8.3; a dot
#: had 3.1.
DOT_MM2, DOT_WITHIN = 1.0, 0.75
#: A dot at an outer opening: so much ink (mm2) within the first distance (mm) of the edge, and no more than
#: so many times as much within the other: shadows and floors that look inked go on. It is farther than half
#: the last (mm) from the path's own line. Of 195 photos of `tuning-evening` (three decks) one has such ink,
#: where a line that was drawn after the path had ended is no longer than that.
EDGE_DOT_MM2, EDGE_DOT_WITHIN_MM, EDGE_DOT_ALONE, EDGE_DOT_CLEAR_MM = 0.4, (1.3, 4.0), 1.6, 6.0
#: A line that begins or ends at a gate has so much ink within this share of its icon. Of 75 gates with ink
#: on them (190 photos of `tuning-evening`) all five that have it beside the path as read are ends of lines;
#: of 70 others, circled and struck ones among them, none has more than 0.6 mm2 there.
BEGUN_WITHIN = 0.4
#: Ink is the path's own within this width of its line (mm): of 3 gates that a line ran by underground (300
#: photos of `tuning-evening`) none has a dot left.
DRAWN_MM = 3.4
#: The edge of a wall or an icon misjudged makes a thinner line than a pen (mm).
LEAST_WIDTH_MM = 0.75
#: A line is at least this many times as long as it is thick; shade at a card's edge is a patch. [A]:
#: questions about what is no ink 20 to 11.
LEAST_SLENDER = 2.0
#: A line that ends in a room may run on there: from this near to where it was followed (corridor widths),
#: and no nearer to any other door. [A]: sure 70.2 % to 71.6 %, with the next.
TAIL, TAIL_TO_DOOR = 0.71, 0.79
#: No corridor runs along a card's edge: what keeps this near to it (mm) is its shade. [A], with the last.
RIM_MM = 2.5

# --- Marks ----------------------------------------------------------------------------------------
#: Rings run between these distances from an icon's rim (mm).
RING_INSIDE_MM, RING_OUTSIDE_MM = 0.55, 3.45
#: A ring that is as likely as this, and no more, is asked about: 16 on 180 photos (`tuning-evening` 0 to 59,
#: 600 to 719), 8 of them read wrongly.
RING_DOUBT = (0.3, 0.7)
#: A ring that can be seen and has a film of less than this share of the plainest lines' (median), and ink in
#: less than the second share of its line, is what a wipe left. Of 654 rings (215 photos of `tuning-evening`,
#: three decks) none has less than 0.07 of that film, and none is inked in less than 0.3; all five that were
#: read beside them, of strong ghosts, have 0.03 or less and 0.16 or less.
WIPED_RING_FILM, WIPED_RING_INKED = 0.05, 0.2
#: Where less than this share of a ring would be seen nobody can say that there is none.
MARK_SEEN = 0.5
